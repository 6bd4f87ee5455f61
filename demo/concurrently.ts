/** Concurrent work, within the service's limits. */

/** Concurrent requests; the service has a limit per token. */
export const WIDTH = 6;

/** Pieces of at most `size` entries, in order. */
export function chunks<T>(entries: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, index) =>
    entries.slice(index * size, (index + 1) * size),
  );
}

/**
 * Applies `work` to all items, at most `width` at a time; results are in the order of the items.
 * @throws what the first failing item throws, once the ones that were begun have ended
 */
export async function concurrently<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  let failed: { error: unknown } | undefined;
  async function lane(): Promise<void> {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failed ??= { error };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  if (failed) throw failed.error;
  return results;
}

/**
 * The same, but items with the same key one after another, in their order: those of one customer, for example.
 * @throws as concurrently does
 */
export async function concurrentlyBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  await concurrently([...groups.values()], WIDTH, async (group) => {
    for (const item of group) await work(item);
  });
}
