/** Follow-up actions of a document: the next document, a return, a rectifying invoice. */
import type { Step } from '../../../domain/trade/documents/progress.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import {
  deliverInput,
  invoiceInput,
  orderInput,
  rectifyInput,
  returnInput,
} from '../../../services/trade/lifecycle/follow-up-schemas.ts';

interface Action {
  readonly step: Step;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly body:
    | typeof orderInput
    | typeof deliverInput
    | typeof returnInput
    | ReturnType<typeof invoiceInput | typeof rectifyInput>;
  readonly bodyOptional: boolean;
}

/** Follow-up actions by kind of document. */
export function followUpActions(docType: DocType): readonly Action[] {
  const { kind, side } = DOCUMENT_TYPES[docType];
  const sales = side === 'sales';
  if (kind === 'quotation') {
    const of = sales ? 'quotation' : 'request';
    return [
      {
        step: 'order',
        path: 'order',
        summary: sales ? 'Make the order of a quotation' : 'Order what was requested',
        description:
          `Creates an order for everything open of the ${of}, or for the given lines, at its prices. ` +
          '409 `nothing_open` if nothing is.',
        body: orderInput,
        bodyOptional: true,
      },
      {
        step: 'invoice',
        path: 'invoice',
        summary: `Invoice a ${of}`,
        description:
          `Creates a draft invoice for everything open of the ${of}, or for the given lines, without an order. ` +
          '409 `nothing_open` if nothing is.',
        body: invoiceInput(docType),
        bodyOptional: true,
      },
    ];
  }
  if (kind === 'order') {
    return [
      {
        step: 'deliver',
        path: sales ? 'deliver' : 'receive',
        summary: sales ? 'Deliver a sales order' : 'Receive the goods of a purchase order',
        description:
          'Creates a delivery note for everything open, or for the given lines. 409 `nothing_open` if nothing is.',
        body: deliverInput,
        bodyOptional: true,
      },
    ];
  }
  if (kind === 'delivery_note') {
    return [
      {
        step: 'invoice',
        path: 'invoice',
        summary: 'Invoice a delivery note',
        description:
          'Creates a draft invoice for everything open, or for the given lines. 409 `nothing_open` if nothing is.',
        body: invoiceInput(docType),
        bodyOptional: true,
      },
      {
        step: 'return',
        path: 'return',
        summary: 'Return goods of a delivery note',
        description:
          'Creates a note with negative quantities; the goods move back at the cost they moved with. Returned goods cannot be ' +
          'invoiced, and do not reopen the order.',
        body: returnInput,
        bodyOptional: true,
      },
    ];
  }
  return [
    {
      step: 'rectify',
      path: 'rectify',
      summary: 'Rectify a posted invoice',
      description:
        'Creates a draft with negative quantities in the rectifying series. Its notes stay invoiced; with `returnStock` the goods come ' +
        'back when it is posted.',
      body: rectifyInput(docType),
      bodyOptional: false,
    },
  ];
}
