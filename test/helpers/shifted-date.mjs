/**
 * Loaded before anything else (`NODE_OPTIONS=--import=…`), moves this process's clock by DATE_SHIFT_MS, for it and the processes
 * that it starts. PostgreSQL and Temporal keep the real time.
 */
const shift = Number(process.env.DATE_SHIFT_MS);
const RealDate = Date;
const now = () => RealDate.now() + shift;

const ShiftedDate = new Proxy(RealDate, {
  construct: (target, args, made) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, made === ShiftedDate ? target : made),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
});
RealDate.prototype.constructor = ShiftedDate;
globalThis.Date = ShiftedDate;
