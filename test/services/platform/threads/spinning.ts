/** Work for threads that takes as long, or as much memory, as asked. */
import { threadTask } from '../../../../services/platform/threads/task.ts';

export default threadTask(({ ms = 0, mebibytes = 0, fails = false }: Spinning) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
  const kept: string[][] = [];
  for (let made = 0; made < mebibytes; made += 1) kept.push(Array.from({ length: 131_072 }, (_, at) => `${at}`));
  if (fails) throw new RangeError('failed');
  return { ms, kept: kept.length };
});

export interface Spinning {
  readonly ms?: number;
  readonly mebibytes?: number;
  readonly fails?: boolean;
}
