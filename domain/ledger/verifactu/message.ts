/** Messages with records to the tax agency (AEAT, SuministroLR.xsd and SuministroInformacion.xsd, version 1.0): elements in their order. */
import { type Node, node } from '../../xml.ts';
import { printedDate } from './dates.ts';
import type {
  Annulment,
  Detail,
  InvoiceKey,
  Link,
  OtherId,
  Party,
  Program,
  Recorded,
  Registration,
  ReplacedAmounts,
} from './records.ts';
import { constant, day, list, part, type Shape, text, writeShape } from './shapes.ts';

const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';
const NAMESPACES = {
  'xmlns:soapenv': 'http://schemas.xmlsoap.org/soap/envelope/',
  'xmlns:sfLR': `${BASE}SuministroLR.xsd`,
  'xmlns:sf': `${BASE}SuministroInformacion.xsd`,
};

const INVOICE: Shape<InvoiceKey> = [
  text('issuer', 'sf:IDEmisorFactura'),
  text('number', 'sf:NumSerieFactura'),
  day('date', 'sf:FechaExpedicionFactura'),
];
const ANNULLED: Shape<InvoiceKey> = [
  text('issuer', 'sf:IDEmisorFacturaAnulada'),
  text('number', 'sf:NumSerieFacturaAnulada'),
  day('date', 'sf:FechaExpedicionFacturaAnulada'),
];
const OTHER_ID: Shape<OtherId> = [text('country', 'sf:CodigoPais'), text('type', 'sf:IDType'), text('id', 'sf:ID')];
const PARTY: Shape<Party> = [
  text('name', 'sf:NombreRazon'),
  text('taxId', 'sf:NIF'),
  part('other', 'sf:IDOtro', OTHER_ID),
];
const REPLACED: Shape<ReplacedAmounts> = [
  text('base', 'sf:BaseRectificada'),
  text('amount', 'sf:CuotaRectificada'),
  text('surchargeAmount', 'sf:CuotaRecargoRectificado'),
];
const DETAIL: Shape<Detail> = [
  text('tax', 'sf:Impuesto'),
  text('regime', 'sf:ClaveRegimen'),
  text('qualification', 'sf:CalificacionOperacion'),
  text('exemption', 'sf:OperacionExenta'),
  text('rate', 'sf:TipoImpositivo'),
  text('base', 'sf:BaseImponibleOimporteNoSujeto'),
  text('amount', 'sf:CuotaRepercutida'),
  text('surchargeRate', 'sf:TipoRecargoEquivalencia'),
  text('surchargeAmount', 'sf:CuotaRecargoEquivalencia'),
];

/** The record of an invoice, up to its chain. */
export const REGISTRATION: Shape<Registration> = [
  constant('sf:IDVersion', '1.0'),
  part('invoice', 'sf:IDFactura', INVOICE),
  text('reference', 'sf:RefExterna'),
  text('issuerName', 'sf:NombreRazonEmisor'),
  text('correction', 'sf:Subsanacion'),
  text('rejected', 'sf:RechazoPrevio'),
  text('type', 'sf:TipoFactura'),
  text('rectification', 'sf:TipoRectificativa'),
  list('rectified', 'sf:FacturasRectificadas', 'sf:IDFacturaRectificada', INVOICE),
  list('substituted', 'sf:FacturasSustituidas', 'sf:IDFacturaSustituida', INVOICE),
  part('replaced', 'sf:ImporteRectificacion', REPLACED),
  day('operationDate', 'sf:FechaOperacion'),
  text('description', 'sf:DescripcionOperacion'),
  text('qualifiedSimplified', 'sf:FacturaSimplificadaArt7273'),
  text('withoutRecipient', 'sf:FacturaSinIdentifDestinatarioArt61d'),
  text('large', 'sf:Macrodato'),
  text('issuedBy', 'sf:EmitidaPorTerceroODestinatario'),
  part('thirdParty', 'sf:Tercero', PARTY),
  list('recipients', 'sf:Destinatarios', 'sf:IDDestinatario', PARTY),
  list('details', 'sf:Desglose', 'sf:DetalleDesglose', DETAIL),
  text('taxTotal', 'sf:CuotaTotal'),
  text('total', 'sf:ImporteTotal'),
];

/** The record of an annulment, up to its chain. */
export const ANNULMENT: Shape<Annulment> = [
  constant('sf:IDVersion', '1.0'),
  part('invoice', 'sf:IDFactura', ANNULLED),
  text('reference', 'sf:RefExterna'),
  text('withoutRecord', 'sf:SinRegistroPrevio'),
  text('rejected', 'sf:RechazoPrevio'),
];

export const PROGRAM: Shape<Program> = [
  text('makerName', 'sf:NombreRazon'),
  text('makerTaxId', 'sf:NIF'),
  text('name', 'sf:NombreSistemaInformatico'),
  text('code', 'sf:IdSistemaInformatico'),
  text('version', 'sf:Version'),
  text('installation', 'sf:NumeroInstalacion'),
  text('onlyVerifactu', 'sf:TipoUsoPosibleSoloVerifactu'),
  text('severalCompanies', 'sf:TipoUsoPosibleMultiOT'),
  text('hasSeveral', 'sf:IndicadorMultiplesOT'),
];

export const PREVIOUS: Shape<NonNullable<Link['previous']>> = [
  ...(INVOICE as Shape<InvoiceKey>),
  text('hash', 'sf:Huella'),
];

/** The company whose invoices they are. */
export interface Sender {
  readonly name: string;
  readonly taxId: string;
}

/**
 * Builds a message with records of one company, in the order of their chain.
 * @param incident whether they come late because they could not be sent
 */
export function submission(
  sender: Sender,
  records: readonly (Recorded & { readonly program: Program })[],
  { incident, endsOn = null }: { readonly incident: boolean; readonly endsOn?: string | null },
): Node {
  const header = node('sfLR:Cabecera', [
    node('sf:ObligadoEmision', [node('sf:NombreRazon', sender.name), node('sf:NIF', sender.taxId)]),
    node('sf:RemisionVoluntaria', [
      endsOn === null ? undefined : node('sf:FechaFinVeriFactu', printedDate(endsOn)),
      node('sf:Incidencia', incident ? 'S' : 'N'),
    ]),
  ]);
  const invoices = records.map((one) => node('sfLR:RegistroFactura', [recordElement(one)]));
  return node(
    'soapenv:Envelope',
    [
      node('soapenv:Header', []),
      node('soapenv:Body', [node('sfLR:RegFactuSistemaFacturacion', [header, ...invoices])]),
    ],
    NAMESPACES,
  );
}

function recordElement(recorded: Recorded & { readonly program: Program }): Node {
  const chained = chainElements(recorded.link, recorded.program);
  return recorded.kind === 'registration'
    ? node('sf:RegistroAlta', [...writeShape(REGISTRATION, recorded.record), ...chained])
    : node('sf:RegistroAnulacion', [...writeShape(ANNULMENT, recorded.record), ...chained]);
}

function chainElements({ previous, generatedAt, hash }: Link, program: Program): Node[] {
  return [
    node('sf:Encadenamiento', [
      previous === undefined
        ? node('sf:PrimerRegistro', 'S')
        : node('sf:RegistroAnterior', writeShape(PREVIOUS, previous)),
    ]),
    node('sf:SistemaInformatico', writeShape(PROGRAM, program)),
    node('sf:FechaHoraHusoGenRegistro', generatedAt),
    node('sf:TipoHuella', '01'),
    node('sf:Huella', hash),
  ];
}
