/** Reads messages with records, as the tax agency does. */
import { type Node, node } from '../../xml.ts';
import { descendants, localName, textWithin } from '../../xml-reader.ts';
import { parsedDate } from './dates.ts';
import { ANNULMENT, PREVIOUS, PROGRAM, REGISTRATION, type Sender } from './message.ts';
import type { Link, Program, Recorded } from './records.ts';
import { readShape } from './shapes.ts';

/** A message as it was received. */
export interface ReadSubmission {
  readonly sender: Sender;
  readonly incident: boolean;
  /** Last day on which the sender sends records; null for no end. */
  readonly endsOn: string | null;
  readonly records: readonly (Recorded & { readonly program: Program })[];
}

/** Reads the body of a message, which fits the agency's schema. */
export function readSubmission(body: Node): ReadSubmission {
  const [company] = descendants(body, 'ObligadoEmision');
  return {
    sender: {
      name: (company && textWithin(company, 'NombreRazon')) ?? '',
      taxId: (company && textWithin(company, 'NIF')) ?? '',
    },
    incident: textWithin(body, 'Incidencia') === 'S',
    endsOn: optionalDate(textWithin(body, 'FechaFinVeriFactu')),
    records: [...descendants(body, 'RegistroFactura')].flatMap(({ content }) =>
      typeof content === 'string' ? [] : content.map(readRecord),
    ),
  };
}

function optionalDate(text: string | null): string | null {
  return text === null ? null : parsedDate(text);
}

function readRecord(element: Node): Recorded & { readonly program: Program } {
  const [previous] = descendants(element, 'RegistroAnterior');
  const [program] = descendants(element, 'SistemaInformatico');
  // The hash before stands within its own element, ahead of the record's.
  const hashes = [...descendants(element, 'Huella')];
  const link: Link = {
    ...(previous === undefined ? {} : { previous: readShape(PREVIOUS, previous) }),
    generatedAt: textWithin(element, 'FechaHoraHusoGenRegistro') ?? '',
    hash: String(hashes.at(-1)?.content ?? ''),
  };
  const chained = { link, program: readShape(PROGRAM, program ?? node('', [])) };
  return localName(element) === 'RegistroAlta'
    ? { kind: 'registration', record: readShape(REGISTRATION, element), ...chained }
    : { kind: 'annulment', record: readShape(ANNULMENT, element), ...chained };
}
