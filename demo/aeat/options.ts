/** Options that the stand-ins share. */
import { join } from 'node:path';
import { InvalidArgumentError } from 'commander';

/** Folder of the authority and its certificates, beside the data of the service. */
export const FOLDER = join(process.env.DATA_DIR ?? '.data', 'aeat');

/** A number of a port. @throws InvalidArgumentError */
export function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535) throw new InvalidArgumentError('must be a port from 0 to 65535.');
  return number;
}
