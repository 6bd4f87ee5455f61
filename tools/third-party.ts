/** `npm run licences`: writes THIRD-PARTY.md from package-lock.json; with `-- --check`, only checks that it is current. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Dependency, listDependencies, refused } from './licences.ts';

const PAGE = fileURLToPath(new URL('../THIRD-PARTY.md', import.meta.url));
const LOCK = fileURLToPath(new URL('../package-lock.json', import.meta.url));

const dependencies = listDependencies(JSON.parse(readFileSync(LOCK, 'utf8')).packages);
const page = thirdPartyPage(dependencies);
const faults = refused(dependencies).map(
  ({ name, version, licence }) =>
    `${name}@${version} cannot be used because its licence is ${licence ?? 'unknown'}; replace it, or allow it in ` +
    'tools/licences.ts and say why in docs/decisions.',
);
if (process.argv.includes('--check')) {
  if (readFileSync(PAGE, 'utf8') !== page) faults.push('THIRD-PARTY.md is not current: run `npm run licences`.');
} else {
  writeFileSync(PAGE, page);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;

function thirdPartyPage(all: readonly Dependency[]): string {
  const production = all.filter(({ development }) => !development);
  const development = all.filter(({ development }) => development);
  return `# Third-party packages

Generated from package-lock.json by \`npm run licences\`; do not edit. Builds of a package for other platforms are listed too: an
installation has those of its own platform. Each package contains the text of its licence.

## Installed in production

${table(production)}
## For development only

${table(development)}`;
}

function table(dependencies: readonly Dependency[]): string {
  const rows = dependencies.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence ?? 'unknown'} |`);
  return `| Package | Version | Licence |\n|---|---|---|\n${rows.join('\n')}\n`;
}
