/** Sender, recipient and delivery address of a document. */
import type { PostalAddress } from '../../../db/models/trade/documents.ts';
import type { CompanySettings } from '../../platform/settings/definitions.ts';
import { nonEmpty, type Paper } from './paper.ts';
import type { Texts } from './texts/es.ts';

export interface Party {
  readonly name: string;
  readonly lines: readonly string[];
}

/** The company in the head; `foot` is its line at the bottom of every page. */
export function companyParty(company: CompanySettings, texts: Texts): Party & { readonly foot: string } {
  const taxId = company.taxId && `${texts.taxId} ${company.taxId}`;
  const city = nonEmpty([company.zipCode, company.city]).join(' ');
  return {
    name: company.name,
    lines: nonEmpty([
      taxId,
      company.address,
      city,
      nonEmpty([company.phone, company.email]).join(' · '),
      company.website,
    ]),
    foot: nonEmpty([company.name, taxId, company.address, city]).join(' · '),
  };
}

/** The customer or supplier, with the name in the billing address. */
export function partnerParty(paper: Paper): Party {
  const { data, texts } = paper;
  const { partner } = data.row;
  const billing = (data.row.billingAddress ?? {}) as PostalAddress;
  return {
    name: partner.name,
    lines: nonEmpty([
      partner.nif && `${texts.taxId} ${partner.nif}`,
      ...addressLines(paper, billing),
      nonEmpty([data.partner.phone, data.partner.email]).join(' · '),
    ]),
  };
}

/** The delivery address, if given and different from the billing address. */
export function shippingLines(paper: Paper): string[] {
  const { billingAddress, shippingAddress } = paper.data.row;
  const [billing, shipping] = [billingAddress, shippingAddress].map((address) =>
    addressLines(paper, (address ?? {}) as PostalAddress),
  ) as [string[], string[]];
  return shipping.join('\n') === billing.join('\n') ? [] : shipping;
}

/** An address as written on an envelope, with the country only if it is a foreign one. */
function addressLines({ data, formats }: Paper, address: PostalAddress): string[] {
  const { name, street, zipCode, city, state, countryCode } = address;
  return nonEmpty([
    name !== data.row.partner.name && name,
    street,
    nonEmpty([zipCode, city, state && state !== city && `(${state})`]).join(' '),
    countryCode && countryCode !== data.settings.company.country && formats.country(countryCode),
  ]);
}
