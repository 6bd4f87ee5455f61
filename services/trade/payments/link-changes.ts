/** Compares a payment's links with a change: named links keep their place, others are removed. */
import { Faults } from '../../../domain/faults.ts';
import { decimal, round } from '../../../domain/money.ts';
import { parseDebtType } from '../../../domain/trade/payments/types.ts';
import type { NamedLink } from './links.ts';
import type { LinkRow } from './payment.ts';
import type { LinkChange, LinkInput } from './schemas.ts';

export interface LinkChanges {
  /** In the order in which they are named. */
  readonly named: readonly NamedLink[];
  readonly removed: readonly LinkRow[];
  readonly kept: readonly LinkRow[];
}

/**
 * Finds the links that stay, change, are new or are removed. An entry without id is the first link of its document that no other entry
 * names. An amount of 0 removes a link; missing amounts stay as they are.
 * @param places decimals of amounts in answers
 * @throws ServiceError validation_failed when an id is unknown, or of another document's link
 */
export function linkChanges(links: readonly LinkRow[], inputs: readonly LinkChange[], places: number): LinkChanges {
  const changes: { named: NamedLink[]; kept: LinkRow[] } = { named: [], kept: [] };
  const standing = new Set<LinkRow>();
  const meant = meantLinks(links, inputs);
  for (const [index, { id: _, ...input }] of inputs.entries()) {
    const at = `/linked_documents/${index}`;
    const link = meant[index];
    if (link === undefined) changes.named.push({ input, at });
    else if (input.amount_applied === 0 && hasDocumentType(link, input)) continue;
    else {
      standing.add(link);
      if (isSame(link, input, places)) changes.kept.push(link);
      else changes.named.push({ input: { ...asLinkInput(link), ...input }, at, replaces: link });
    }
  }
  return { ...changes, removed: links.filter((link) => !standing.has(link)) };
}

/** The link of each entry; undefined for new ones. */
function meantLinks(links: readonly LinkRow[], inputs: readonly LinkChange[]): (LinkRow | undefined)[] {
  const faults = new Faults();
  const free = new Set(links);
  const take = (fits: (link: LinkRow) => boolean) => {
    const link = [...free].find(fits);
    if (link !== undefined) free.delete(link);
    return link;
  };
  const byId = inputs.map(({ id, document_id }, index) => {
    if (id === undefined) return undefined;
    const at = `/linked_documents/${index}`;
    const link = take((one) => one.id === id.toLowerCase());
    if (link === undefined)
      faults.add(`${at}/id`, 'invalid_reference', 'must be the id of a link of this payment, and named once');
    else if (link.documentId !== document_id.toLowerCase())
      faults.add(`${at}/document_id`, 'read_only', 'must be the document of this link; omit the id for a new one');
    return link;
  });
  faults.throwIfAny();
  const seen = new Set<string>();
  const meant = inputs.map((input, index) => {
    const documentId = input.document_id.toLowerCase();
    const { instalment } = input;
    const fits = (one: LinkRow) => instalment === undefined || one.instalment === instalment;
    const link = byId[index] ?? take((one) => one.documentId === documentId && fits(one));
    const place = `${documentId} ${instalment ?? ''}`;
    if (link === undefined && seen.has(place))
      faults.add(`/linked_documents/${index}/document_id`, 'duplicate', 'is named twice');
    seen.add(place);
    return link;
  });
  faults.throwIfAny();
  return meant;
}

function hasDocumentType(link: LinkRow, { document_type }: LinkInput): boolean {
  return parseDebtType(document_type) === link.docType;
}

const AMOUNTS = [
  ['amount_applied', 'amount'],
  ['withholding', 'withholding'],
  ['discount', 'discount'],
  ['write_off', 'writeOff'],
] as const;

/** Compares amounts as clients see them, since clients may send back rounded ones. */
function isSame(link: LinkRow, input: LinkInput, places: number): boolean {
  if (
    !hasDocumentType(link, input) ||
    (input.instalment === undefined ? link.instalment : input.instalment) !== link.instalment
  )
    return false;
  if ((input.keep_withholding ?? link.keepWithholding) !== link.keepWithholding) return false;
  return AMOUNTS.every(([member, own]) => {
    const asked = input[member];
    return asked === undefined || decimal(asked).eq(round(link[own], places));
  });
}

/** Converts a link to the input that a client would send. */
function asLinkInput(link: LinkRow): Partial<LinkInput> {
  const amounts = Object.fromEntries(AMOUNTS.map(([member, own]) => [member, Number(link[own])]));
  return { ...amounts, keep_withholding: link.keepWithholding, instalment: link.instalment };
}
