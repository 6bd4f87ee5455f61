/** Builds the package: `dist/esm` and `dist/cjs`, each with its types. `npm pack` then makes what can be installed. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import './generate.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const compile = (...options: string[]) =>
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.json', ...options], { cwd: folder, stdio: 'inherit' });

rmSync(new URL('dist/', import.meta.url), { recursive: true, force: true });
compile();
const common = ['--module', 'commonjs', '--moduleResolution', 'node10', '--verbatimModuleSyntax', 'false'];
compile(...common, '--outDir', 'dist/cjs');
writeFileSync(new URL('dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');
