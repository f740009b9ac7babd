// A spectator's pace: what comes at once, because it is told late, is shown as it was played.

const MOVE_MS = 550;
const BETWEEN_HANDS_MS = 5000;
const QUICK_MS = 150;
const BEHIND_MS = 120;
const FAR_BEHIND = 200;

export class Pace {
  /** `take(seq, event)` shows an event; `isLive()`: without delay; `isOver()`: a result is shown. */
  constructor({ take, isLive, isOver }) {
    this.take = take;
    this.isLive = isLive;
    this.isOver = isOver;
    this.queue = [];
    this.timer = 0;
  }

  add(seq, event) {
    this.queue.push({ seq, event });
    this.pump();
  }

  /** Number of the last event that waits, -1 for none. */
  lastSeq() {
    return this.queue.at(-1)?.seq ?? -1;
  }

  /** Go on where another stopped. */
  follow(other) {
    this.queue = other.queue;
    this.pump();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = -1;
  }

  pump() {
    if (this.timer || !this.queue.length) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      const { seq, event } = this.queue.shift();
      this.take(seq, event);
      this.pump();
    }, this.wait());
  }

  wait() {
    const next = this.queue[0].event.type;
    if (this.isLive()) return 0;
    if (next === "start_kyoku" && this.isOver()) return BETWEEN_HANDS_MS;
    const handWaits = this.queue.slice(1).some(({ event }) => event.type === "start_kyoku");
    if (this.queue.length > FAR_BEHIND || handWaits) return BEHIND_MS;
    return ["dora", "reach", "reach_accepted"].includes(next) ? QUICK_MS : MOVE_MS;
  }
}
