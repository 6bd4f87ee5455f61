/** The whole address of a quotation's link. */
import type { Config } from '../../../config/index.ts';
import type { Context } from '../../../db/context.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import type { DocumentRow } from '../../../services/trade/documents/stored.ts';
import { LINK_PATH, linkFor, linkQuery, type QuotationLink } from '../../../services/trade/quotations/link.ts';

/** The address of a link. @throws ServiceError unavailable without a key */
export function linkAddress(config: Config, link: QuotationLink): string {
  return `${config.appUrl}${LINK_PATH}?${linkQuery(configuredKeys(config), link)}`;
}

/** The address by which a customer answers a quotation that is sent to them; null for other documents, and without a key. */
export function quotationLink(config: Config, ctx: Context, row: DocumentRow): string | null {
  if (row.docType !== 'SQ' || configuredKeys(config).length === 0) return null;
  return linkAddress(config, linkFor(ctx.tenantId, row, ctx.now));
}
