/** Allowed licences of dependencies, and the few packages whose licence a person had to look up. */

/** Licences that ask for no more than attribution. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Other licences, allowed for the packages named only. docs/decisions/0215-licences-of-dependencies.md gives the reasons. */
const ALLOWED_FOR: Readonly<Record<string, RegExp>> = {
  'CC-BY-4.0': /^caniuse-lite$/,
  'LGPL-3.0-or-later': /^@img\/sharp-/,
  'MPL-2.0': /^(axe-core|web-push)$/,
  'LicenseRef-Saxonica': /^(saxon-js|xslt3)$/,
  'OFL-1.1': /^@expo-google-fonts\//,
};

/** Packages whose manifest does not state the licence that their own text grants. */
const STATED_IN_TEXT: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  dicer: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  'saxon-js': 'LicenseRef-Saxonica',
  streamsearch: 'MIT',
  unionfs: 'Unlicense',
  xslt3: 'LicenseRef-Saxonica',
};

/** An entry of `packages` in package-lock.json. */
export interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; null if unknown. */
  readonly licence: string | null;
  /** Whether only development needs it. */
  readonly development: boolean;
}

/**
 * Lists the dependencies in a lock file, by name and version. Builds for platforms other than the one that wrote the lock file lack a
 * licence there and get that of the package they are a part of, so that the list is the same everywhere.
 */
export function listDependencies(packages: Readonly<Record<string, LockEntry>>): Dependency[] {
  const parents = new Map(
    Object.values(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}).map((part) => [part, entry.license] as const),
    ),
  );
  const found = new Map<string, Dependency>();
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '') continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = STATED_IN_TEXT[name] ?? entry.license ?? parents.get(name) ?? null;
    const development = entry.dev ?? false;
    const version = entry.version ?? '';
    const key = `${name}@${version} ${development}`;
    found.set(key, { name, version, licence, development });
  }
  return [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** Dependencies whose licence is unknown, or could bind whoever distributes the service. */
export function refused(dependencies: readonly Dependency[]): Dependency[] {
  return dependencies.filter(({ name, licence }) => licence === null || !isAllowed(name, licence));
}

/** Whether a package may have a licence: of alternatives one must be allowed, of combined licences all. */
function isAllowed(name: string, expression: string): boolean {
  const text = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  const alternatives = text.split(/ or /i);
  if (alternatives.length > 1) return alternatives.some((part) => isAllowed(name, part));
  return text.split(/ and /i).every((id) => PERMISSIVE.has(id) || (ALLOWED_FOR[id]?.test(name) ?? false));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
