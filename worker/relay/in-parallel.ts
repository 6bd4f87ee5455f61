/**
 * Works on all items, a limited number at a time. After a failure no further item is begun.
 * @throws the first failure, once nothing is in flight any more
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const failures: unknown[] = [];
  const runners = Array.from({ length: Math.min(limit, items.length) }, async () => {
    for (const item of queue) {
      if (failures.length > 0) return;
      try {
        await work(item);
      } catch (error) {
        failures.push(error);
      }
    }
  });
  await Promise.all(runners);
  if (failures.length > 0) throw failures[0];
}
