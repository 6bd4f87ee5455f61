/** Fonts of printed documents, from npm packages, so that a page looks the same on every machine. */
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createWholeFolder, sharedCacheDirectory } from './files.ts';

/** One family for each font of the branding, in the weights that the templates use. */
const PACKAGES = ['noto-sans', 'noto-serif', 'noto-sans-mono'];
const WEIGHTS = ['400Regular', '700Bold'];

/**
 * Returns the environment with which a browser finds the fonts of the packages, and the system's for other scripts. The fonts are copied
 * to a readable place, because the browser may run as another user who cannot read the packages.
 * @param env usually `process.env`; a FONTCONFIG_FILE in it is kept
 */
export async function fontEnvironment(env: NodeJS.ProcessEnv = process.env): Promise<Record<string, string>> {
  // Elsewhere browsers use the system's fonts, which always exist.
  if (process.platform !== 'linux') return {};
  if (env.FONTCONFIG_FILE) return { FONTCONFIG_FILE: env.FONTCONFIG_FILE };
  const { resolve } = createRequire(import.meta.url);
  const manifests = PACKAGES.map((name) => resolve(`@expo-google-fonts/${name}/package.json`));
  const files = manifests.flatMap((manifest) =>
    WEIGHTS.flatMap((weight) => {
      const folder = join(dirname(manifest), weight);
      return readdirSync(folder).flatMap((name) => (name.endsWith('.ttf') ? [join(folder, name)] : []));
    }),
  );
  const hash = createHash('sha256')
    .update(JSON.stringify(manifests.map(version)))
    .digest('hex')
    .slice(0, 12);
  const folder = join(sharedCacheDirectory(env), `fonts-${hash}`);
  await createWholeFolder(folder, (draft) => {
    for (const [index, file] of files.entries()) copyFileSync(file, join(draft, `${index}.ttf`));
    writeFileSync(join(draft, 'fonts.conf'), fontConfiguration(folder));
  });
  return { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
}

function version(manifest: string): string {
  return (createRequire(import.meta.url)(manifest) as { version: string }).version;
}

function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
}
