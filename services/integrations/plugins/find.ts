/** Finds plugins. */
import type { Reader } from '../../../db/database.ts';
import { Plugin } from '../../../db/models/integrations/plugins.ts';
import { findRow } from '../../../db/queries/find.ts';

/** Finds a plugin. @returns undefined if the company has no such plugin */
export async function findPlugin(reader: Reader, id: string): Promise<Plugin | undefined> {
  return await findRow(reader, Plugin, { id });
}
