/** The fonts that printed documents name, from npm packages: a page looks the same on every machine, with fonts or none. */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cacheDirectory, createWhole } from './files.ts';

/** One family for each of the branding's fonts, in the weights that the templates use. */
const PACKAGES = ['noto-sans', 'noto-serif', 'noto-sans-mono'];
const WEIGHTS = ['400Regular', '700Bold'];

/**
 * What a browser needs in its environment to find the fonts of the packages, and the system's for other scripts.
 * @param env usually `process.env`; a FONTCONFIG_FILE in it is kept
 */
export function fontEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  // Elsewhere browsers take the system's fonts, of which there always are some.
  if (process.platform !== 'linux' || env.FONTCONFIG_FILE) return {};
  const cache = cacheDirectory(env);
  const configuration = fontConfiguration(cache);
  const name = `fonts-${createHash('sha256').update(configuration).digest('hex').slice(0, 12)}.conf`;
  const path = join(cache, name);
  createWhole(path, configuration);
  return { FONTCONFIG_FILE: path };
}

function fontConfiguration(cache: string): string {
  const { resolve } = createRequire(import.meta.url);
  const folders = PACKAGES.flatMap((name) => {
    const root = dirname(resolve(`@expo-google-fonts/${name}/package.json`));
    return WEIGHTS.map((weight) => join(root, weight));
  });
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${folders.map((folder) => `  <dir>${escaped(folder)}</dir>`).join('\n')}
  <cachedir>${escaped(join(cache, 'fonts'))}</cachedir>
</fontconfig>
`;
}

function escaped(path: string): string {
  return path.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
