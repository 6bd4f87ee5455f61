/** `node runtime/run.mjs api/server …`: runs a program of the service; compiles the service first if its sources have changed. */
import { join } from 'node:path';
import { argv, exit, stderr } from 'node:process';
import { pathToFileURL } from 'node:url';
import { compiledFolder } from './compile.mjs';

const [node, , module, ...args] = argv;
const folder = await compiledFolder().catch((error) => {
  stderr.write(`The service cannot be compiled: ${error.message}\n`);
  exit(1);
});
const program = join(folder, `${module}.js`);
// As if it had been started by itself.
argv.splice(0, argv.length, node, program, ...args);
await import(pathToFileURL(program).href);
