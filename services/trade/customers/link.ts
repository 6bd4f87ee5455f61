/** Links by which customers see their account, without a login: signed, one for each, and revocable. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Partner } from '../../../db/models/records/master-data.ts';
import { CustomerLink } from '../../../db/models/trade/customer-links.ts';
import { findRow } from '../../../db/queries/find.ts';
import { insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import { isSigned, sign } from '../../platform/encryption/signatures.ts';

export const CUSTOMER_PATH = '/api/customers';
const PURPOSE = 'links of customers';
const NONCE_BYTES = 12;

/** The parts of a link's address. */
export interface LinkedCustomer {
  readonly tenantId: string;
  readonly partnerId: string;
  readonly nonce: string;
}

/** The query of a link, with its signature. @throws ServiceError unavailable without a key */
export function customerQuery([key]: EncryptionKeys, { tenantId, partnerId, nonce }: LinkedCustomer): string {
  if (key === undefined)
    throw new ServiceError('unavailable', 'Links cannot be signed: start the service with ENCRYPTION_KEY set');
  const signature = sign(key, PURPOSE, [tenantId, partnerId, nonce]);
  return `company=${tenantId}&customer=${partnerId}&nonce=${nonce}&signature=${signature}`;
}

/** Checks the signature. @throws ServiceError not_found */
export function assertSigned(keys: EncryptionKeys, link: LinkedCustomer, signature: string): void {
  const { tenantId, partnerId, nonce } = link;
  if (!isSigned(keys, PURPOSE, [tenantId, partnerId, nonce], signature)) throw notFound('The page');
}

/** Checks that a link is the present one of its customer and has not ended. @throws ServiceError not_found */
export async function assertCurrent(
  reader: Reader,
  { partnerId, nonce }: LinkedCustomer,
  now: Date,
): Promise<CustomerLink> {
  const link = await findRow(reader, CustomerLink, { partnerId });
  const isOver =
    link?.expiresAt !== null && link?.expiresAt !== undefined && Date.parse(link.expiresAt) <= now.getTime();
  if (link === undefined || link.nonce !== nonce || isOver) throw notFound('The page');
  return link;
}

/** @throws ServiceError not_found if the partner has none */
export async function findLink(reader: Reader, partnerId: string): Promise<CustomerLink> {
  const link = await findRow(reader, CustomerLink, { partnerId });
  if (link === undefined) throw notFound('A link of this partner');
  return link;
}

/** Makes the link of a customer; one that was made before ends. @throws ServiceError not_found; validation_failed for an end in the past */
export async function makeLink(
  trx: Db,
  ctx: Context,
  partnerId: string,
  expiresAt: string | null,
): Promise<CustomerLink> {
  if ((await findRow(trx, Partner, { id: partnerId })) === undefined) throw notFound('This partner');
  if (expiresAt !== null && Date.parse(expiresAt) <= ctx.now.getTime())
    throw invalidMember('/expiresAt', 'out_of_range', 'must be in the future');
  const nonce = randomBytes(NONCE_BYTES).toString('hex');
  const values = { nonce, expiresAt, lastOpenedAt: null, createdBy: ctx.userId };
  const current = await CustomerLink.query(trx).findOne({ partner_id: partnerId }).forUpdate();
  return current === undefined
    ? await insertRow(trx, ctx, CustomerLink, { id: newId(), partnerId, ...values })
    : await patchRow(trx, ctx, CustomerLink, current, values);
}

/** Ends the link of a customer. @throws ServiceError not_found */
export async function revokeLink(trx: Db, ctx: Context, partnerId: string): Promise<void> {
  const current = await CustomerLink.query(trx).findOne({ partner_id: partnerId }).forUpdate();
  if (current === undefined) throw notFound('A link of this partner');
  await removeRow(trx, ctx, CustomerLink, current);
}
