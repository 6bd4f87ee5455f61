/** Answers of the stand-in, in the agency's form (AEAT, RespuestaSuministro.xsd, version 1.0). */
import { readFileSync } from 'node:fs';
import { printedDate } from '../../domain/ledger/verifactu/dates.ts';
import type { ReadSubmission } from '../../domain/ledger/verifactu/message-reader.ts';
import type { Recorded } from '../../domain/ledger/verifactu/records.ts';
import { type Node, node, serialize } from '../../domain/xml.ts';

const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';
const SOAP = { 'xmlns:env': 'http://schemas.xmlsoap.org/soap/envelope/' };
const NAMESPACES = { 'xmlns:sfR': `${BASE}RespuestaSuministro.xsd`, 'xmlns:sf': `${BASE}SuministroInformacion.xsd` };

export interface LineError {
  readonly code: string;
  readonly text: string;
}

export interface Line {
  readonly recorded: Recorded;
  readonly state: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';
  readonly error: LineError | null;
  /** The state of the record that is there already. */
  readonly duplicate: { readonly state: string; readonly error: LineError | null } | null;
}

const texts = new Map(
  readFileSync(new URL('schemas/errores.properties', import.meta.url), 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, code, text] = /^(\d{4}) = *(.*?)\s*$/.exec(line) ?? [];
      return code === undefined || text === undefined ? [] : [[code, text] as const];
    }),
);

/** An error with the agency's own text. */
export function lineError(code: string): LineError {
  return { code, text: texts.get(code) ?? 'Error' };
}

/** Builds the answer to a message. */
export function answer(
  { sender, incident }: ReadSubmission,
  lines: readonly Line[],
  { csv, at, waitSeconds }: { readonly csv: string | null; readonly at: string; readonly waitSeconds: number },
): Node {
  const refused = lines.filter(({ state }) => state === 'Incorrecto').length;
  const state = refused === 0 ? 'Correcto' : refused === lines.length ? 'Incorrecto' : 'ParcialmenteCorrecto';
  return node(
    'sfR:RespuestaRegFactuSistemaFacturacion',
    [
      csv === null ? undefined : node('sfR:CSV', csv),
      csv === null
        ? undefined
        : node('sfR:DatosPresentacion', [
            node('sf:NIFPresentador', sender.taxId),
            node('sf:TimestampPresentacion', at),
          ]),
      node('sfR:Cabecera', [
        node('sf:ObligadoEmision', [node('sf:NombreRazon', sender.name), node('sf:NIF', sender.taxId)]),
        node('sf:RemisionVoluntaria', [node('sf:Incidencia', incident ? 'S' : 'N')]),
      ]),
      node('sfR:TiempoEsperaEnvio', String(waitSeconds)),
      node('sfR:EstadoEnvio', state),
      ...lines.map(line),
    ],
    NAMESPACES,
  );
}

function line({ recorded, state, error, duplicate }: Line): Node {
  const { issuer, number, date } = recorded.record.invoice;
  const flags =
    recorded.kind === 'registration'
      ? [optional('sf:Subsanacion', recorded.record.correction), optional('sf:RechazoPrevio', recorded.record.rejected)]
      : [
          optional('sf:RechazoPrevio', recorded.record.rejected),
          optional('sf:SinRegistroPrevio', recorded.record.withoutRecord),
        ];
  return node('sfR:RespuestaLinea', [
    node('sfR:IDFactura', [
      node('sf:IDEmisorFactura', issuer),
      node('sf:NumSerieFactura', number),
      node('sf:FechaExpedicionFactura', printedDate(date)),
    ]),
    node('sfR:Operacion', [
      node('sf:TipoOperacion', recorded.kind === 'registration' ? 'Alta' : 'Anulacion'),
      ...flags,
    ]),
    optional('sfR:RefExterna', recorded.record.reference),
    node('sfR:EstadoRegistro', state),
    ...errorElements('sfR', error),
    duplicate === null
      ? undefined
      : node('sfR:RegistroDuplicado', [
          node('sf:IdPeticionRegistroDuplicado', '20260101000000000001'),
          node('sf:EstadoRegistroDuplicado', duplicate.state),
          ...errorElements('sf', duplicate.error),
        ]),
  ]);
}

function optional(name: string, value: string | undefined): Node | undefined {
  return value === undefined ? undefined : node(name, value);
}

function errorElements(prefix: string, error: LineError | null): Node[] {
  if (error === null) return [];
  return [
    node(`${prefix}:CodigoErrorRegistro`, error.code),
    node(`${prefix}:DescripcionErrorRegistro`, error.text.slice(0, 1500)),
  ];
}

/** Builds the refusal of a whole message. */
export function fault(code: string, { server = false, more = '' } = {}): Node {
  return node('env:Fault', [
    node('faultcode', server ? 'env:Server' : 'env:Client'),
    node('faultstring', `Codigo[${code}].${lineError(code).text}${more}`),
  ]);
}

/** Puts an answer into its envelope. */
export function enveloped(body: Node): string {
  return serialize(node('env:Envelope', [node('env:Body', [body])], SOAP));
}
