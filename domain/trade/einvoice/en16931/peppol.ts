/** Identifies an invoice and its parties by Peppol BIS Billing 3, for the network of that name. */
import { Faults } from '../../../faults.ts';
import type { StandardInvoice, StandardParty } from './standard.ts';

/** An address in the network: by the VAT number. */
export interface Endpoint {
  /** Scheme of the address (EAS). */
  readonly scheme: string;
  readonly id: string;
}

export interface Peppol {
  readonly customization: string;
  readonly process: string;
  readonly seller: Endpoint;
  readonly buyer: Endpoint;
}

const CUSTOMIZATION = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0';
const PROCESS = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
/** Schemes of VAT numbers, by country. */
const SCHEMES: Readonly<Record<string, string>> = { ES: '9920', DE: '9930' };

/** @throws ServiceError validation_failed: a party without an address in the network, or no reference of the buyer */
export function peppol(invoice: StandardInvoice): Peppol {
  const faults = new Faults();
  const seller = endpoint(invoice.seller, '/company', faults);
  const buyer = endpoint(invoice.buyer, '/partnerId', faults);
  if (!invoice.reference) {
    const message = 'is required by Peppol: the reference that the buyer has given, such as the number of an order';
    faults.add('/reference', 'required', message);
  }
  faults.throwIfAny();
  return { customization: CUSTOMIZATION, process: PROCESS, seller, buyer };
}

function endpoint({ vatNumber, country }: StandardParty, pointer: string, faults: Faults): Endpoint {
  const scheme = SCHEMES[country];
  if (scheme === undefined || vatNumber === null) {
    const countries = Object.keys(SCHEMES).join(' or ');
    faults.add(pointer, 'no_endpoint', `must have a VAT number of ${countries}: its address in the network of Peppol`);
  }
  return { scheme: scheme ?? '', id: vatNumber ?? '' };
}
