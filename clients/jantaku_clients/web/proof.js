// The fairness proof, computed here and not believed: SHA-256 and the shuffle that
// FAIRNESS.md writes down. It works on pages without TLS too, where the browser hides its own.

const K = new Uint32Array(64);
const START = new Uint32Array(8);

(function constants() {
  const isPrime = (n) => {
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) return false;
    return true;
  };
  const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32);
  let found = 0;
  for (let n = 2; found < 64; n += 1) {
    if (!isPrime(n)) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(n));
    K[found] = fraction(Math.cbrt(n));
    found += 1;
  }
})();

const turn = (x, n) => (x >>> n) | (x << (32 - n));

/** SHA-256 of bytes, as bytes. */
export function sha256(bytes) {
  const length = (bytes.length + 72) & ~63;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 4, bytes.length * 8);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  const state = START.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < length; block += 64) {
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(block + i * 4);
    for (let i = 16; i < 64; i += 1) {
      const a = w[i - 15];
      const b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => {
      state[i] += x;
    });
  }
  const out = new Uint8Array(32);
  const outView = new DataView(out.buffer);
  state.forEach((x, i) => outView.setUint32(i * 4, x));
  return out;
}

export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The 136 tile ids in the order that a key decides. */
export function shuffle(key) {
  const label = new TextEncoder().encode("jantaku shuffle 1");
  const message = new Uint8Array(label.length + key.length + 4);
  message.set(label);
  message.set(key, label.length);
  const counterView = new DataView(message.buffer, label.length + key.length);
  const ids = Array.from({ length: 136 }, (_, id) => id);
  let counter = 0;
  let words = [];
  for (let last = 135; last > 0; last -= 1) {
    const choices = last + 1;
    const limit = 65536 - (65536 % choices);
    let word = limit;
    while (word >= limit) {
      if (!words.length) {
        counterView.setUint32(0, counter);
        counter += 1;
        const digest = new DataView(sha256(message).buffer);
        words = Array.from({ length: 16 }, (_, i) => digest.getUint16(i * 2));
      }
      word = words.shift();
    }
    const chosen = word % choices;
    [ids[last], ids[chosen]] = [ids[chosen], ids[last]];
  }
  return ids;
}

/** Whether a key is the published one, and whether it gives this wall. */
export function check(hash, key, ids) {
  const bytes = fromHex(key);
  return {
    key: toHex(sha256(bytes)) === hash,
    wall: shuffle(bytes).every((id, index) => id === ids[index]),
  };
}
