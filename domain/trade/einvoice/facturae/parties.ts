/** Seller and buyer of an invoice in Facturae: who they are, and where. */
import countries from 'i18n-iso-countries';
import type { Faults } from '../../../faults.ts';
import { hasVatNumber, isPersonsTaxId } from '../../../identifiers.ts';
import { shortened } from '../../../shorten.ts';
import { type Node, node, path } from '../../../xml.ts';
import type { BuyerData, PartyData } from '../invoice.ts';
import { provinceFor } from '../provinces.ts';

/** Countries that the schema's list of 2009 lacks. */
const UNLISTED = ['XKX', 'SSD', 'BES', 'CUW', 'SXM', 'BLM', 'MAF'];

/** Where the data of each party comes from, in words of the fault. */
export interface PartySource {
  readonly pointer: string;
  /** Members of its address by name, as they are written there. */
  readonly members: Readonly<Record<'street' | 'zipCode' | 'city', string>>;
  readonly whose: string;
}

export function sellerParty(seller: PartyData, source: PartySource, faults: Faults): Node {
  return node('SellerParty', [identification(seller, source, faults), legalParty(seller, source, faults)]);
}

export function buyerParty(buyer: BuyerData, source: PartySource, faults: Faults): Node {
  checkCentres(buyer, faults);
  const address = () => addressNode(buyer, source, faults);
  const centres = buyer.centres.map(({ code, role }) =>
    node('AdministrativeCentre', [node('CentreCode', code), node('RoleTypeCode', role), address()]),
  );
  return node('BuyerParty', [
    identification(buyer, source, faults),
    centres.length === 0 ? undefined : node('AdministrativeCentres', centres),
    legalParty(buyer, source, faults),
  ]);
}

/** Roles of the offices with which alone a public body takes an invoice, by the members of the partner. */
const CENTRES = { '01': 'dir3AccountingOffice', '02': 'dir3ManagingBody', '03': 'dir3ProcessingUnit' } as const;

function checkCentres({ centres }: BuyerData, faults: Faults): void {
  const missing = Object.entries(CENTRES).filter(([needed]) => !centres.some(({ role }) => role === needed));
  if (centres.length === 0 || missing.length === 0) return;
  const members = missing.map(([, member]) => member).join(' and ');
  faults.add('/partnerId', 'required', `must have ${members} because another office of the public body is named`);
}

function identification({ taxId, country }: PartyData, { pointer, whose }: PartySource, faults: Faults): Node {
  if (taxId === null) faults.add(pointer, 'required', `${whose} must have a tax id`);
  const residence = country === 'ES' ? 'R' : hasVatNumber(country, taxId ?? '') ? 'U' : 'E';
  return node('TaxIdentification', [
    node('PersonTypeCode', isPerson({ taxId, country }) ? 'F' : 'J'),
    node('ResidenceTypeCode', residence),
    node('TaxIdentificationNumber', taxId ?? ''),
  ]);
}

function isPerson({ taxId, country }: Pick<PartyData, 'taxId' | 'country'>): boolean {
  return taxId !== null && isPersonsTaxId(country, taxId);
}

function legalParty(party: PartyData, source: PartySource, faults: Faults): Node {
  const ending = [addressNode(party, source, faults), contactNode(party)];
  if (!isPerson(party)) return node('LegalEntity', [node('CorporateName', shortened(party.name, 80)), ...ending]);
  const { first, surname, second } = personNames(party.name);
  if (surname === '') faults.add(source.pointer, 'no_surname', `${source.whose} must have a first name and a surname`);
  return node('Individual', [
    node('Name', shortened(first, 40)),
    node('FirstSurname', shortened(surname, 40)),
    second === '' ? undefined : node('SecondSurname', shortened(second, 40)),
    ...ending,
  ]);
}

/** Names of a person, written as `Ana María Pérez García` or `Pérez García, Ana María`: Spaniards have two surnames. */
export function personNames(name: string): {
  readonly first: string;
  readonly surname: string;
  readonly second: string;
} {
  const [surnames, given] = name.split(',').map((part) => part.trim()) as [string, string | undefined];
  if (given !== undefined) {
    const [surname = '', ...rest] = surnames.split(/\s+/);
    return { first: given, surname, second: rest.join(' ') };
  }
  const words = surnames.split(/\s+/);
  if (words.length < 3) return { first: words[0] ?? '', surname: words[1] ?? '', second: '' };
  return { first: words.slice(0, -2).join(' '), surname: words.at(-2) ?? '', second: words.at(-1) ?? '' };
}

function addressNode(party: PartyData, source: PartySource, faults: Faults): Node {
  const spanish = party.country === 'ES';
  const lacks = (member: keyof PartySource['members']) => {
    const { pointer, members, whose } = source;
    const words = member === 'zipCode' && spanish ? 'must have a postal code of five digits' : `must have a ${member}`;
    const place = `${pointer}/${members[member]}`;
    if (!faults.list.some((fault) => fault.pointer === place)) faults.add(place, 'required', `${whose} ${words}`);
  };
  const zipCode = party.zipCode ?? '';
  if (!party.street) lacks('street');
  if (!party.city) lacks('city');
  if (spanish && !/^\d{5}$/.test(zipCode)) lacks('zipCode');
  const [street, city] = [shortened(party.street ?? '', 80), party.city ?? ''];
  const province = shortened(party.state ?? (spanish ? provinceFor(zipCode) : undefined) ?? city, 20);
  if (spanish)
    return node('AddressInSpain', [
      node('Address', street),
      node('PostCode', zipCode),
      node('Town', shortened(city, 50)),
      node('Province', province),
      node('CountryCode', 'ESP'),
    ]);
  return node('OverseasAddress', [
    node('Address', street),
    node('PostCodeAndTown', shortened([zipCode, city].join(' ').trim(), 50)),
    node('Province', province),
    node('CountryCode', countryCode(party, source, faults)),
  ]);
}

function countryCode({ country }: PartyData, { pointer, whose }: PartySource, faults: Faults): string {
  const code = countries.alpha2ToAlpha3(country);
  if (code !== undefined && !UNLISTED.includes(code)) return code;
  faults.add(pointer, 'out_of_range', `${whose} cannot be in ${country} because Facturae does not list that country`);
  return '';
}

function contactNode({ phone, email }: PartyData): Node | undefined {
  const parts = [
    phone === null || phone.length > 15 ? undefined : path('Telephone', phone),
    email === null || email.length > 60 ? undefined : path('ElectronicMail', email),
  ];
  return parts.every((part) => part === undefined) ? undefined : node('ContactDetails', parts);
}
