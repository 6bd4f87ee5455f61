import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes for many identifiers: requesting them one by one from the system would take longer than everything else. */
const RANDOM = new Uint8Array(4096);
const BYTES_EACH = 16;
let used = RANDOM.length;

/** Milliseconds and sequence within them of the last identifier. */
const last = { msecs: Number.NEGATIVE_INFINITY, seq: 0 };

/**
 * A new identifier: UUID version 7, so that ids sort by time and indexes stay dense. Those of one process ascend, even within a
 * millisecond.
 */
export function newId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > last.msecs) {
    last.msecs = now;
    // Starts in the lower half, so that it cannot run out.
    last.seq = new DataView(random.buffer, random.byteOffset).getInt32(0) & 0x7fff_ffff;
  } else {
    last.seq += 1;
  }
  return v7({ random, ...last });
}

function randomBytes(): Uint8Array {
  if (used === RANDOM.length) {
    randomFillSync(RANDOM);
    used = 0;
  }
  used += BYTES_EACH;
  return RANDOM.subarray(used - BYTES_EACH, used);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The lowest identifier that `newId` creates at a moment: all earlier ones are below it. */
export function idAt(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
