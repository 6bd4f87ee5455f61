/** Indexes each row under all of its keys. */
export function indexBy<Row>(rows: readonly Row[], toKeys: (row: Row) => readonly string[]): Map<string, Row[]> {
  const index = new Map<string, Row[]>();
  for (const row of rows) {
    for (const key of new Set(toKeys(row))) {
      const known = index.get(key);
      if (known === undefined) index.set(key, [row]);
      else known.push(row);
    }
  }
  return index;
}
