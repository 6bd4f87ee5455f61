/** When API keys end: a key lengthens neither its own life nor that of others beyond its own, directly or by keys that it makes. */
import type { Context } from '../../../db/context.ts';
import type { ApiKey } from '../../../db/models/access/access.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import type { Actor } from '../members/owners.ts';

/** A year from now, or the end of the calling key if that is earlier. @param calling the key that calls; null for people */
export function defaultExpiry(ctx: Context, calling: ApiKey | null): string {
  const end = new Date(ctx.now);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  const inAYear = end.toISOString();
  return calling?.expiresAt != null && isLater(inAYear, calling.expiresAt) ? calling.expiresAt : inAYear;
}

/**
 * Asserts that the caller may let a key end at a time.
 * @param calling the key that calls; null for people
 * @throws ServiceError validation_failed (past), forbidden (never, unless for owners; later than the calling key)
 */
export function checkExpiry(ctx: Context, actor: Actor, calling: ApiKey | null, expiresAt: string | null): void {
  if (expiresAt === null && actor.role !== 'owner') {
    throw new ServiceError('forbidden', 'Only an owner can create an API key that never expires; send expiresAt');
  }
  checkOrigin(calling, expiresAt, 'A key cannot let itself or another key live longer than it does');
  if (expiresAt !== null && Date.parse(expiresAt) <= ctx.now.getTime()) {
    throw invalidMember('/expiresAt', 'out_of_range', 'must be in the future');
  }
}

/** @throws ServiceError forbidden if a key would end later than the one that it comes from */
export function checkOrigin(origin: ApiKey | null, expiresAt: string | null, message: string): void {
  if (origin === null || !isLater(expiresAt, origin.expiresAt)) return;
  throw new ServiceError('forbidden', `${message}; send an expiresAt until ${origin.expiresAt}`);
}

/** Whether one end is later than another; null is never. */
export function isLater(end: string | null, other: string | null): boolean {
  if (other === null) return false;
  return end === null || Date.parse(end) > Date.parse(other);
}
