const MAX_LENGTH = 48;

/** Converts a company's name to a URL slug: "Año Nuevo, S.L." → "ano-nuevo-s-l". Never empty. */
export function slugify(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'company' : slug;
}
