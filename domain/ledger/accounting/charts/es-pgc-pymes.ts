/**
 * The chart of accounts of new companies in Spain: the Spanish PGC for small companies (RD 1515/2007), with groups and subgroups
 * as headings, and VAT sub-accounts for each rate; VAT with the equivalence surcharge of each rate.
 */
import { ACCOUNT_ROLES } from '../roles.ts';
import { type AccountChart, accountGroups, buildChart, type TaxSeed } from './chart.ts';

/** Groups and subgroups: code, type, name. */
export const HEADINGS = `
1 E Financiación básica
10 E Capital
11 E Reservas y otros instrumentos de patrimonio
12 E Resultados pendientes de aplicación
13 E Subvenciones, donaciones y ajustes por cambios de valor
14 L Provisiones
17 L Deudas a largo plazo por préstamos recibidos y otros conceptos
2 A Activo no corriente
20 A Inmovilizaciones intangibles
21 A Inmovilizaciones materiales
25 A Otras inversiones financieras a largo plazo
26 A Fianzas y depósitos constituidos a largo plazo
28 A Amortización acumulada del inmovilizado
29 A Deterioro de valor de activos no corrientes
3 A Existencias
30 A Comerciales
31 A Materias primas
33 A Productos en curso
35 A Productos terminados
39 A Deterioro de valor de las existencias
4 A Acreedores y deudores por operaciones comerciales
40 L Proveedores
41 L Acreedores varios
43 A Clientes
44 A Deudores varios
46 L Personal
47 L Administraciones Públicas
48 A Ajustes por periodificación
49 A Deterioro de valor de créditos comerciales
5 A Cuentas financieras
52 L Deudas a corto plazo por préstamos recibidos y otros conceptos
55 L Otras cuentas no bancarias
56 A Fianzas y depósitos a corto plazo
57 A Tesorería
6 X Compras y gastos
60 X Compras
61 X Variación de existencias
62 X Servicios exteriores
63 X Tributos
64 X Gastos de personal
65 X Otros gastos de gestión
66 X Gastos financieros
67 X Pérdidas procedentes de activos no corrientes y gastos excepcionales
68 X Dotaciones para amortizaciones
69 X Pérdidas por deterioro y otras dotaciones
7 I Ventas e ingresos
70 I Ventas de mercaderías, de producción propia, de servicios
71 I Variación de existencias
74 I Subvenciones, donaciones y legados
75 I Otros ingresos de gestión
76 I Ingresos financieros
77 I Beneficios procedentes de activos no corrientes e ingresos excepcionales
79 I Excesos y aplicaciones de provisiones y de pérdidas por deterioro
`;

/** Accounts that entries are posted to. */
export const ACCOUNTS = `
100 E Capital social
102 E Capital
110 E Prima de emisión o asunción
112 E Reserva legal
113 E Reservas voluntarias
118 E Aportaciones de socios o propietarios
120 E Remanente
121 E Resultados negativos de ejercicios anteriores
129 E Resultado del ejercicio
130 E Subvenciones oficiales de capital
142 L Provisión para otras responsabilidades
170 L Deudas a largo plazo con entidades de crédito
171 L Deudas a largo plazo
173 L Proveedores de inmovilizado a largo plazo
174 L Acreedores por arrendamiento financiero a largo plazo
203 A Propiedad industrial
206 A Aplicaciones informáticas
210 A Terrenos y bienes naturales
211 A Construcciones
212 A Instalaciones técnicas
213 A Maquinaria
214 A Utillaje
216 A Mobiliario
217 A Equipos para proceso de información
218 A Elementos de transporte
219 A Otro inmovilizado material
252 A Créditos a largo plazo
260 A Fianzas constituidas a largo plazo
280 A Amortización acumulada del inmovilizado intangible
281 A Amortización acumulada del inmovilizado material
290 A Deterioro de valor del inmovilizado intangible
291 A Deterioro de valor del inmovilizado material
300 A Mercaderías
310 A Materias primas
330 A Productos en curso
350 A Productos terminados
390 A Deterioro de valor de las mercaderías
400 L Proveedores
4009 L Proveedores, facturas pendientes de recibir o de formalizar
401 L Proveedores, efectos comerciales a pagar
407 A Anticipos a proveedores
410 L Acreedores por prestaciones de servicios
430 A Clientes
4309 A Clientes, facturas pendientes de formalizar
431 A Clientes, efectos comerciales a cobrar
4310 A Efectos comerciales en cartera
4311 A Efectos comerciales descontados
4312 A Efectos comerciales en gestión de cobro
4315 A Efectos comerciales impagados
436 A Clientes de dudoso cobro
438 L Anticipos de clientes
440 A Deudores
460 A Anticipos de remuneraciones
465 L Remuneraciones pendientes de pago
4700 A Hacienda Pública, deudora por IVA
4709 A Hacienda Pública, deudora por devolución de impuestos
471 A Organismos de la Seguridad Social, deudores
472 A Hacienda Pública, IVA soportado
47200021 A IVA soportado 21 %
47200010 A IVA soportado 10 %
47200004 A IVA soportado 4 %
47220021 A IVA soportado en adquisiciones intracomunitarias 21 %
47230021 A IVA soportado en importaciones 21 %
4728 A IVA soportado pendiente por criterio de caja
473 A Hacienda Pública, retenciones y pagos a cuenta
474 A Activos por impuesto diferido
4745 A Créditos por pérdidas a compensar
4750 L Hacienda Pública, acreedora por IVA
4751 L Hacienda Pública, acreedora por retenciones practicadas
4752 L Hacienda Pública, acreedora por impuesto sobre sociedades
476 L Organismos de la Seguridad Social, acreedores
477 L Hacienda Pública, IVA repercutido
47700021 L IVA repercutido 21 %
47700010 L IVA repercutido 10 %
47700004 L IVA repercutido 4 %
47710520 L Recargo de equivalencia 5,2 %
47710140 L Recargo de equivalencia 1,4 %
47710050 L Recargo de equivalencia 0,5 %
47720021 L IVA repercutido en adquisiciones intracomunitarias 21 %
4778 L IVA repercutido pendiente por criterio de caja
479 L Pasivos por diferencias temporarias imponibles
480 A Gastos anticipados
485 L Ingresos anticipados
490 A Deterioro de valor de créditos por operaciones comerciales
520 L Deudas a corto plazo con entidades de crédito
5208 L Deudas por efectos descontados
521 L Deudas a corto plazo
523 L Proveedores de inmovilizado a corto plazo
526 L Dividendo activo a pagar
527 L Intereses a corto plazo de deudas con entidades de crédito
551 L Cuenta corriente con socios y administradores
555 L Partidas pendientes de aplicación
565 A Fianzas constituidas a corto plazo
570 A Caja, euros
572 A Bancos e instituciones de crédito c/c vista, euros
600 X Compras de mercaderías
601 X Compras de materias primas
602 X Compras de otros aprovisionamientos
606 X Descuentos sobre compras por pronto pago
607 X Trabajos realizados por otras empresas
608 X Devoluciones de compras y operaciones similares
609 X Rappels por compras
610 X Variación de existencias de mercaderías
6109 X Desviaciones de costes estándar
611 X Variación de existencias de materias primas
612 X Variación de existencias de otros aprovisionamientos
621 X Arrendamientos y cánones
622 X Reparaciones y conservación
623 X Servicios de profesionales independientes
624 X Transportes
625 X Primas de seguros
626 X Servicios bancarios y similares
627 X Publicidad, propaganda y relaciones públicas
628 X Suministros
629 X Otros servicios
6300 X Impuesto corriente
6301 X Impuesto diferido
631 X Otros tributos
634 X Ajustes negativos en la imposición indirecta
639 X Ajustes positivos en la imposición indirecta
640 X Sueldos y salarios
641 X Indemnizaciones
642 X Seguridad Social a cargo de la empresa
649 X Otros gastos sociales
650 X Pérdidas de créditos comerciales incobrables
659 X Otras pérdidas en gestión corriente
662 X Intereses de deudas
665 X Intereses por descuento de efectos y operaciones de factoring
668 X Diferencias negativas de cambio
669 X Otros gastos financieros
670 X Pérdidas procedentes del inmovilizado intangible
671 X Pérdidas procedentes del inmovilizado material
678 X Gastos excepcionales
680 X Amortización del inmovilizado intangible
681 X Amortización del inmovilizado material
690 X Pérdidas por deterioro del inmovilizado intangible
691 X Pérdidas por deterioro del inmovilizado material
693 X Pérdidas por deterioro de existencias
694 X Pérdidas por deterioro de créditos por operaciones comerciales
700 I Ventas de mercaderías
701 I Ventas de productos terminados
705 I Prestaciones de servicios
706 I Descuentos sobre ventas por pronto pago
708 I Devoluciones de ventas y operaciones similares
709 I Rappels sobre ventas
710 I Variación de existencias de productos en curso
712 I Variación de existencias de productos terminados
740 I Subvenciones, donaciones y legados a la explotación
746 I Subvenciones de capital transferidas al resultado del ejercicio
752 I Ingresos por arrendamientos
759 I Ingresos por servicios diversos
762 I Ingresos de créditos
768 I Diferencias positivas de cambio
769 I Otros ingresos financieros
770 I Beneficios procedentes del inmovilizado intangible
771 I Beneficios procedentes del inmovilizado material
778 I Ingresos excepcionales
790 I Reversión del deterioro del inmovilizado intangible
791 I Reversión del deterioro del inmovilizado material
793 I Reversión del deterioro de existencias
794 I Reversión del deterioro de créditos por operaciones comerciales
`;

export const GROUPS = accountGroups({
  customers: '43 44',
  suppliers: '40 41 173 523',
  receivables: '43',
  payables: '40 41',
  money: '57',
  outputTax: '477',
  inputTax: '472',
  vat: '472 477 4700 4750',
  revenue: '70',
  purchases: '60 61',
  subcontracting: '607',
  production: '71',
  staffCosts: '64',
  commissions: '623',
});

/** Decimals as text. */
export const SPANISH_TAXES: readonly TaxSeed[] = [
  { code: 'IVA0', name: 'IVA exento', rate: '0', surchargeRate: '0', kind: 'exempt', accounts: {} },
  {
    code: 'IVA4',
    name: 'IVA superreducido 4 %',
    rate: '4',
    surchargeRate: '0.5',
    kind: 'vat',
    accounts: { output: '47700004', input: '47200004', surcharge: '47710050' },
  },
  {
    code: 'IVA10',
    name: 'IVA reducido 10 %',
    rate: '10',
    surchargeRate: '1.4',
    kind: 'vat',
    accounts: { output: '47700010', input: '47200010', surcharge: '47710140' },
  },
  {
    code: 'IVA21',
    name: 'IVA general 21 %',
    rate: '21',
    surchargeRate: '5.2',
    kind: 'vat',
    accounts: {
      output: '47700021',
      input: '47200021',
      surcharge: '47710520',
      intraEuOutput: '47720021',
      intraEuInput: '47220021',
    },
  },
];

export const ES_PGC_PYMES: AccountChart = {
  code: 'es-pgc-pymes',
  name: 'Plan General de Contabilidad de Pequeñas y Medianas Empresas',
  country: 'ES',
  language: 'es',
  accounts: buildChart(HEADINGS, ACCOUNTS),
  roles: ACCOUNT_ROLES,
  groups: GROUPS,
  taxes: () => SPANISH_TAXES,
};
