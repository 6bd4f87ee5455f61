/** Normalizes column titles: case, blanks, hyphens and underscores make no difference. */
export function titleKey(title: string): string {
  return title.toLowerCase().replaceAll(/[\s_-]/g, '');
}
