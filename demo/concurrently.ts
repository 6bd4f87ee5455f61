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
