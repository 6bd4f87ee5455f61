/** Concurrent work, within the service's limits. */
import pMap from 'p-map';

/** Concurrent requests; the service has a limit per token. */
export const WIDTH = 6;

/** Splits entries into chunks of at most `size`, in order. */
export function chunks<T>(entries: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
    entries.slice(index * size, (index + 1) * size),
  );
}

/** Applies `work` to all items; to items with the same key, such as those of one customer, one after another in their order. */
export async function concurrentlyBy<T>(
  items: readonly T[],
  toKey: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(toKey(item));
    if (group) group.push(item);
    else groups.set(toKey(item), [item]);
  }
  const inOrder = async (group: readonly T[]) => {
    for (const item of group) await work(item);
  };
  await pMap(groups.values(), inOrder, { concurrency: WIDTH });
}
