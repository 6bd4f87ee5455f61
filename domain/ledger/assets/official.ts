/** The official table of depreciation (Ley 27/2014, article 12.1.a): greatest linear percentage of a year, and greatest useful life. */

export interface OfficialGroup {
  readonly code: string;
  readonly name: string;
  /** Account of the cost in the PGC. */
  readonly account: string;
  readonly maxPercent: number;
  readonly maxYears: number;
  /** Buildings, furniture and fittings: neither a constant percentage nor the sum of digits (RIS, articles 5 and 6). */
  readonly linearOnly: boolean;
}

/** Code, account, percentage, years, name; `=` marks what is depreciated linearly alone. */
const TABLE = `
OBRA-CIVIL 211 2 100 Obra civil general
PAVIMENTOS 211 6 34 Pavimentos
MINAS 211 7 30 Infraestructuras y obras mineras
HIDRAULICAS 212 2 100 Centrales hidráulicas
NUCLEARES 212 3 60 Centrales nucleares
CARBON 212 4 50 Centrales de carbón
RENOVABLES 212 7 30 Centrales renovables
CENTRALES 212 5 40 Otras centrales
EDIF-IND = 211 3 68 Edificios industriales
ESCOMBRERAS 210 4 50 Terrenos dedicados exclusivamente a escombreras
ALMACENES = 211 7 30 Almacenes y depósitos (gaseosos, líquidos y sólidos)
EDIFICIOS = 211 2 100 Edificios comerciales, administrativos, de servicios y viviendas
REDES-ELEC 212 5 40 Subestaciones. Redes de transporte y distribución de energía
CABLES 212 7 30 Cables
INSTALACIONES 212 10 20 Resto de instalaciones
MAQUINARIA 213 12 18 Maquinaria
EQUIPOS-MED 213 15 14 Equipos médicos y asimilados
FERROCARRIL 218 8 25 Locomotoras, vagones y equipos de tracción
BUQUES 218 10 20 Buques, aeronaves
TRANSP-INT 218 10 20 Elementos de transporte interno
TRANSP-EXT 218 16 14 Elementos de transporte externo
CAMIONES 218 20 10 Autocamiones
MOBILIARIO = 216 10 20 Mobiliario
LENCERIA = 219 25 8 Lencería
CRISTALERIA = 219 50 4 Cristalería
UTILES = 214 25 8 Útiles y herramientas
MOLDES = 214 33 6 Moldes, matrices y modelos
ENSERES = 219 15 14 Otros enseres
ELECTRONICA 217 20 10 Equipos electrónicos
INFORMATICA 217 25 8 Equipos para procesos de información
SOFTWARE 206 33 6 Sistemas y programas informáticos
PELICULAS 203 33 6 Producciones cinematográficas, fonográficas, vídeos y series audiovisuales
OTROS 219 10 20 Otros elementos`;

export const OFFICIAL_GROUPS: readonly OfficialGroup[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [, code = '', mark, account = '', percent, years, name = ''] =
      /^(\S+) (= )?(\d+) (\d+) (\d+) (.+)$/.exec(line) ?? [];
    return {
      code,
      name,
      account,
      maxPercent: Number(percent),
      maxYears: Number(years),
      linearOnly: mark !== undefined,
    };
  });

/** The shortest useful life that the percentage allows, in months. */
export function shortestLife({ maxPercent }: Pick<OfficialGroup, 'maxPercent'>): number {
  return Math.ceil(1200 / maxPercent);
}

/** The accounts of a group's assets, by role; a chart may have sub-accounts with the last digit of the cost's: 2813 for 213. */
export function accountsBeside(account: string): Readonly<Record<GroupAccount, readonly string[]>> {
  const kind = account.startsWith('20') ? '0' : '1';
  const codes = (group: string) => [`${group}${kind}${account[2]}`, `${group}${kind}`];
  return {
    accumulatedAccountId: codes('28'),
    expenseAccountId: codes('68'),
    impairmentAccountId: codes('29'),
    impairmentLossAccountId: codes('69'),
    impairmentReversalAccountId: codes('79'),
    gainAccountId: codes('77'),
    lossAccountId: codes('67'),
  };
}

export type GroupAccount =
  | 'accumulatedAccountId'
  | 'expenseAccountId'
  | 'impairmentAccountId'
  | 'impairmentLossAccountId'
  | 'impairmentReversalAccountId'
  | 'gainAccountId'
  | 'lossAccountId';
