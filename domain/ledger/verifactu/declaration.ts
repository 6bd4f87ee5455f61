/** The maker's statement about the program (declaración responsable; Orden HAC/1177/2024, art. 15), in Spanish as the order wants it. */
import { printedDate } from './dates.ts';
import type { Program } from './records.ts';

export interface DeclarationFacts {
  /** As in the records: both are made of the same values. */
  readonly program: Pick<
    Program,
    'name' | 'code' | 'version' | 'makerName' | 'makerTaxId' | 'onlyVerifactu' | 'severalCompanies'
  >;
  readonly makerAddress: string;
  /** Day and place (town and country) on which it was signed. */
  readonly declaredOn: string;
  readonly declaredAt: string;
}

/** A paragraph: the letter of the order, what it is about, and what it says. */
export interface Statement {
  readonly letter: string;
  readonly title: string;
  readonly text: string;
}

export const DECLARATION_TITLE = 'DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN';

const PARTS =
  'Programa de servidor sobre Node.js, PostgreSQL y Temporal, que se usa por su interfaz REST o por programas que la llamen. No necesita ' +
  'componentes físicos propios. Gestiona ventas, compras, existencias, contabilidad y nóminas, expide facturas y genera por cada una un ' +
  'registro de facturación encadenado, que remite a la Agencia Tributaria.';
const SIGNATURE =
  'El sistema solo funciona como VERI*FACTU y no firma los registros: la remisión con un certificado cualificado del obligado ' +
  'tributario o de quien lo represente hace las veces de firma.';
const STATEMENT =
  'La persona o entidad productora hace constar que este sistema, en la versión indicada, cumple lo dispuesto en el artículo 29.2.j) ' +
  'de la Ley 58/2003, de 17 de diciembre, General Tributaria, en el Reglamento aprobado por el Real Decreto 1007/2023, de 5 de ' +
  'diciembre, en la Orden HAC/1177/2024, de 17 de octubre, y en la sede electrónica de la Agencia Estatal de Administración Tributaria ' +
  'para todo aquello que complete las especificaciones de dicha orden.';

/** Builds the paragraphs, in the order of the order. */
export function declaration({ program, makerAddress, declaredOn, declaredAt }: DeclarationFacts): Statement[] {
  const { name, code, version, makerName, makerTaxId, onlyVerifactu, severalCompanies } = program;
  const paragraphs: readonly (readonly [title: string, text: string])[] = [
    ['Nombre del sistema informático', name],
    ['Código identificador del sistema informático', code],
    ['Identificador completo de la versión', version],
    ['Componentes y descripción', PARTS],
    ['Funciona exclusivamente como VERI*FACTU', onlyVerifactu],
    ['Permite ser usado por varios obligados tributarios', severalCompanies],
    ['Tipos de firma', SIGNATURE],
    ['Razón social o nombre de la entidad productora', makerName],
    ['NIF de la entidad productora', makerTaxId],
    ['Dirección postal de la entidad productora', makerAddress],
    ['Cumplimiento', STATEMENT],
    ['Fecha y lugar', `${printedDate(declaredOn)}, ${declaredAt}`],
  ];
  return paragraphs.map(([title, text], at) => ({ letter: `${String.fromCharCode(97 + at)})`, title, text }));
}
