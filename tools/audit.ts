/**
 * `npm run audit`: looks up known vulnerabilities of what runs in production at osv.dev, or at the address given. High and critical ones
 * fail; a database that is out of reach fails nothing, since a build must not depend on it, and is reported.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Ask, findAdvisories, isGrave } from './advisories.ts';
import { listDependencies } from './licences.ts';

const TIME_LIMIT_MS = 20_000;
const [address = 'https://api.osv.dev'] = process.argv.slice(2);

const ask: Ask = async (path, body) => {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const posted = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(address + path, { ...posted, signal });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return await answer.json();
};

const LOCK = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const purls = listDependencies(JSON.parse(readFileSync(LOCK, 'utf8')).packages)
  .filter(({ development }) => !development)
  .map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`);
try {
  const advisories = await findAdvisories(ask, purls);
  for (const { id, severity, packages } of advisories) {
    process.stdout.write(`${severity ?? 'of unknown severity'}: ${id} (${packages.join(', ')})\n`);
  }
  process.stdout.write(`${purls.length} packages looked up\n`);
  process.exitCode = advisories.some(isGrave) ? 1 : 0;
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stdout.write(`Not looked up: the database of advisories does not answer (${reason})\n`);
}
