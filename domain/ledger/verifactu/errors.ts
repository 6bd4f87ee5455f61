/** Errors of the tax agency in plain words, for whoever must mend them; the agency's own texts name elements of messages. */
import type { AgencyError } from './answers.ts';

type Words = readonly [english: string, spanish: string];

const RECIPIENT: Words = [
  "The agency does not know the customer's tax id with this name: correct the partner, then send the record anew",
  'La AEAT no identifica el NIF del cliente con ese nombre: corrija la ficha y envíe de nuevo el registro',
];
const FOREIGN_ID: Words = [
  "The customer's foreign tax id does not fit their country: correct the partner, then send the record anew",
  'La identificación extranjera del cliente no corresponde a su país: corrija la ficha y envíe de nuevo el registro',
];
const OWN_ID: Words = [
  "The agency does not know the company's own tax id with this name: correct the data of the company",
  'La AEAT no identifica el NIF de la empresa con ese nombre: corrija los datos de la empresa',
];
const CERTIFICATE: Words = [
  'The certificate is neither of the company nor of somebody who may send for it: upload another one',
  'El certificado no es de la empresa ni de quien pueda enviar en su nombre: suba otro',
];
const TAXES: Words = [
  'The taxes of the invoice do not go together: rectify the invoice',
  'Los impuestos de la factura no son coherentes: rectifique la factura',
];
const CHAIN: Words = [
  'The record does not fit the chain that the agency has; the invoice is stored there, and nothing must be done',
  'El registro no encaja en la cadena que tiene la AEAT; la factura consta y no hay que hacer nada',
];
const PROGRAM: Words = [
  'The agency refuses what the program states of itself: its operators must correct the settings',
  'La AEAT rechaza los datos del programa: quien lo opera tiene que corregir la configuración',
];
const AGENCY: Words = [
  'The agency itself has failed; the record is sent again',
  'Ha fallado la propia AEAT; el registro se envía de nuevo',
];

const MEANINGS: readonly (readonly [codes: string, words: Words])[] = [
  ['1109 1110 1123 1189 1193 1239 1283 1290 2001', RECIPIENT],
  ['1101 1102 1103 1111 1121 1122 1126 1131 1191 1192 1222 1232 1233 1234 1254 1255 1289', FOREIGN_ID],
  ['1108 1120 1172 1215 1217 1219 1240 1282 4104 4107 4109 4115 4116', OWN_ID],
  ['4112 3003', CERTIFICATE],
  [
    '1124 1127 1132 1135 1140 1142 1143 1144 1150 1160 1162 1163 1164 1165 1166 1167 1168 1169 1170 1181 1182 1194 1195 1196 1197 1198 ' +
      '1199 1200 1201 1202 1203 1205 1206 1207 1208 1209 1210 1216 1218 1235 1236 1237 1238 1246 1252 1257 1260 1277 1281 1284 1286 1293 ' +
      '2005 2006 2009',
    TAXES,
  ],
  ['2000 2002 2003 2007 2008', CHAIN],
  ['1176 1177 1179 1212 1213 1214 1220 1221 1223 1226 1242', PROGRAM],
  ['1129 1241 1243 1256 1288 3500 3501 4103 4108 4110 4111 4118 4128 4134', AGENCY],
  [
    '1112 1133 1134 1145 1146 1152 1173 1105 1125',
    [
      'A date of the invoice is not one that the agency takes: rectify the invoice',
      'La AEAT no admite una fecha de la factura: rectifique la factura',
    ],
  ],
  [
    '1104 1130 1287',
    [
      'The number has characters that the agency does not take: change prefix and suffix of the series',
      'El número tiene caracteres que la AEAT no admite: cambie el prefijo y el sufijo de la serie',
    ],
  ],
  [
    '2004',
    [
      'The record came late, or the clock of the server is wrong; the invoice is stored, and nothing must be done',
      'El registro llegó tarde o el reloj del servidor no está en hora; la factura consta y no hay que hacer nada',
    ],
  ],
  [
    '3000',
    [
      'The agency has a record of this invoice from elsewhere: compare the two, then send the record anew as a correction',
      'La AEAT ya tiene un registro de esta factura: compare ambos y envíe de nuevo el registro como subsanación',
    ],
  ],
  [
    '3001',
    [
      'The agency has annulled this invoice already; nothing must be done',
      'La factura ya consta anulada en la AEAT; no hay que hacer nada',
    ],
  ],
  [
    '3002',
    [
      'The agency has no record of the invoice that is annulled: annul it as one without a record',
      'La AEAT no tiene la factura que se anula: anúlela como factura sin registro previo',
    ],
  ],
  [
    '3004',
    [
      'The invoice was entered in a form of the agency, where alone it can be changed',
      'La factura se dio de alta en el formulario de la AEAT y solo allí se puede modificar',
    ],
  ],
  ['4141', ['The agency has suspended access: ask it why', 'La AEAT ha suspendido el acceso: consulte el motivo']],
];
const BY_CODE = new Map(MEANINGS.flatMap(([codes, words]) => codes.split(' ').map((code) => [code, words] as const)));
const OTHER: Words = [
  'The agency does not take it, for the reason that it states',
  'La AEAT no lo admite, por el motivo que indica',
];

/** An error as clients see it: the agency's code and own text, and what it means in both languages. */
export interface ExplainedError extends AgencyError {
  readonly en: string;
  readonly es: string;
}

/** Explains an error. */
export function explained({ code, text }: AgencyError): ExplainedError {
  const [en, es] = BY_CODE.get(code) ?? OTHER;
  return { code, text, en, es };
}
