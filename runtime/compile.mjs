/**
 * Compiles the service: its TypeScript to JavaScript, its workflows to a bundle. Programs then start without a translator. As a program
 * (`npm run build`) it writes to `dist/`; `run.mjs` uses a folder for each state of the sources.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { argv, execPath } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = join(ROOT, '.build');
/** Number of recently used builds to keep besides the newest: a service may be running from them. */
const KEPT = 5;

/** Returns the folder with the compiled form of the current sources; compiles them if necessary. */
export async function compiledFolder() {
  const files = await sources();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(await readFile(join(ROOT, file)));
  const folder = join(FOLDERS, hash.digest('hex').slice(0, 16));
  if (!existsSync(folder)) await compileAside(files, folder);
  const now = new Date();
  // Fails for another user's installation, who cleans it up.
  await utimes(folder, now, now).catch(() => undefined);
  return folder;
}

/** Compiles into a temporary folder and renames it, because another process may do the same. */
async function compileAside(files, folder) {
  const draft = `${folder}.${process.pid}.draft`;
  try {
    await compile(files, draft);
    await rename(draft, folder);
    await removeOld();
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function compile(files, folder) {
  const { build, stop } = await import('esbuild');
  const code = files.filter((file) => file.endsWith('.ts'));
  await build({
    absWorkingDir: ROOT,
    entryPoints: code,
    outbase: '.',
    outdir: folder,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // Only lets the plugin see the imports: each module stays a separate file.
    bundle: true,
    treeShaking: false,
    plugins: [{ name: 'modules', setup: keepModules }],
  });
  // Otherwise its process would live as long as this one.
  await stop();
  for (const file of files.filter((file) => !code.includes(file))) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(ROOT, file), join(folder, file));
  }
  await promisify(execFile)(execPath, [join(folder, 'worker/bundle.js')]);
}

function keepModules({ onResolve }) {
  onResolve({ filter: /^\.{1,2}\// }, ({ kind, path }) =>
    kind === 'entry-point' ? undefined : { path: path.replace(/\.ts$/, '.js'), external: true },
  );
}

/** Everything of which the service consists, and by which it is compiled. */
async function sources() {
  const { include } = JSON.parse(await readFile(join(ROOT, 'tsconfig.build.json'), 'utf8'));
  const lists = await Promise.all(
    include.map((folder) => readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })),
  );
  const files = lists.flat().filter((entry) => entry.isFile());
  return [
    ...files.map(({ parentPath, path, name }) => relative(ROOT, join(parentPath ?? path, name))).sort(),
    // The service shows some of them as pages.
    ...(await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ];
}

async function removeOld() {
  const folders = await Promise.all(
    (await readdir(FOLDERS)).map(async (name) => ({ name, used: (await stat(join(FOLDERS, name))).mtimeMs })),
  );
  const old = folders.sort((one, other) => other.used - one.used).slice(KEPT);
  for (const { name } of old) await rm(join(FOLDERS, name), { recursive: true, force: true });
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  await rm(join(ROOT, 'dist'), { recursive: true, force: true });
  await compile(await sources(), join(ROOT, 'dist'));
}
