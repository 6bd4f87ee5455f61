/** The layout of DATA_DIR. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode, errorMessage, StartError } from './errors.ts';

export interface DataDirectory {
  readonly root: string;
  readonly keys: string;
  readonly logs: string;
  /** Records of the processes of the current start. */
  readonly processes: string;
  readonly postgres: string;
  readonly temporalFile: string;
  /** The addresses of the embedded servers while they run. */
  readonly connections: string;
}

/**
 * Creates the data directory and its folders.
 * @throws StartError if it cannot be written to
 */
export function openDataDirectory(path: string): DataDirectory {
  const root = resolve(path);
  const keys = join(root, 'keys');
  const logs = join(root, 'logs');
  const processes = join(root, 'processes');
  try {
    for (const folder of [root, keys, logs, processes, join(root, 'temporal')]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    }
  } catch (error) {
    throw new StartError(
      `DATA_DIR ${root} cannot be written to (${errorCode(error) ?? errorMessage(error)}): give its folder to this user, or set ` +
        `DATA_DIR to another one`,
    );
  }
  return {
    root,
    keys,
    logs,
    processes,
    postgres: join(root, 'postgres'),
    temporalFile: join(root, 'temporal', 'temporal.db'),
    connections: join(root, 'connections.env'),
  };
}
