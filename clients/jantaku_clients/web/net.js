// One websocket that comes back: hello, heartbeat, and a new connection when the old one is dead.

const PING_MS = 8000;
const DEAD_MS = 20000;
const MOST_WAIT_MS = 8000;

export class Connection {
  constructor() {
    this.welcome = null;
    this.state = "connecting";
    this.listener = null;
    this.onState = null;
    this._socket = null;
    this._tries = 0;
    this._timer = 0;
    this._heard = 0;
    this._stopped = false;
    setInterval(() => this._beat(), 2000);
    addEventListener("online", () => this._retryNow());
    addEventListener("offline", () => this._lost());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this._beat();
    });
    addEventListener("pageshow", (event) => event.persisted && this.restart());
  }

  /** Let a screen listen: {onReady, onMessage}; a fresh one is told at once when all is ready. */
  listen(listener, fresh) {
    this.listener = listener;
    if (fresh && this.state === "open") listener.onReady?.(this.welcome);
  }

  open() {
    clearTimeout(this._timer);
    this._stopped = false;
    const url = new URL("/ws", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this._to(this._tries ? "lost" : "connecting");
    const socket = new WebSocket(url, "jantaku.v1.json");
    this._socket = socket;
    this._heard = Date.now();
    socket.onopen = () => this.send({ type: "hello", protocol: 1, client: "web", hints: true });
    socket.onmessage = (event) => {
      if (socket === this._socket) this._receive(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (socket === this._socket) this._closed(event);
    };
  }

  /** A fresh session: the server forgets what this one was listening to. */
  restart() {
    this._drop();
    this._tries = 0;
    this.open();
  }

  send(message) {
    if (this._socket?.readyState !== WebSocket.OPEN) return false;
    this._socket.send(JSON.stringify(message));
    return true;
  }

  _receive(message) {
    this._heard = Date.now();
    if (message.type === "welcome") {
      this.welcome = message;
      this._tries = 0;
      this._to("open");
      this.listener?.onReady?.(message);
    } else if (message.type === "error" && message.code === "taken_over") {
      this._stopped = true;
      this.listener?.onMessage?.(message);
    } else if (message.type !== "pong" || message.nonce) {
      this.listener?.onMessage?.(message);
    }
  }

  _to(state) {
    if (state === this.state) return;
    this.state = state;
    this.onState?.(state);
  }

  _drop() {
    const socket = this._socket;
    this._socket = null;
    if (socket) {
      socket.onclose = socket.onmessage = socket.onopen = null;
      socket.close();
    }
  }

  _closed() {
    this._socket = null;
    if (this._stopped) {
      this._to("stopped");
      return;
    }
    this._lost();
  }

  _lost() {
    this._drop();
    this._to("lost");
    clearTimeout(this._timer);
    const wait = Math.min(MOST_WAIT_MS, 250 * 2 ** this._tries) * (0.7 + Math.random() * 0.6);
    this._tries += 1;
    this._timer = setTimeout(() => this.open(), wait);
  }

  _retryNow() {
    if (this._stopped || this.state === "open") return;
    this._drop();
    this.open();
  }

  _beat() {
    if (this._stopped || !this._socket) return;
    const silent = Date.now() - this._heard;
    if (silent > DEAD_MS) this._lost();
    else if (silent > PING_MS) this.send({ type: "ping" });
  }
}
