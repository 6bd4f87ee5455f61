/**
 * The full Spanish PGC (RD 1514/2007), for companies that are not small: the chart for small ones, with the accounts of groups of
 * companies and of more financial instruments, and groups 8 and 9. Those two are closed to equity at the end of a year, not to the result:
 * so they are equity.
 */
import { type AccountChart, buildChart } from './chart.ts';
import { ACCOUNTS, ES_PGC_PYMES, HEADINGS } from './es-pgc-pymes.ts';

const MORE_HEADINGS = `
15 L Deudas a largo plazo con características especiales
16 L Deudas a largo plazo con partes vinculadas
18 L Pasivos por fianzas, garantías y otros conceptos a largo plazo
19 L Situaciones transitorias de financiación
22 A Inversiones inmobiliarias
23 A Inmovilizaciones materiales en curso
24 A Inversiones financieras a largo plazo en partes vinculadas
32 A Otros aprovisionamientos
34 A Productos semiterminados
36 A Subproductos, residuos y materiales recuperados
50 L Empréstitos, deudas con características especiales y otras emisiones análogas a corto plazo
51 L Deudas a corto plazo con partes vinculadas
53 A Inversiones financieras a corto plazo en partes vinculadas
54 A Otras inversiones financieras a corto plazo
58 A Activos no corrientes mantenidos para la venta y activos y pasivos asociados
59 A Deterioro del valor de inversiones financieras a corto plazo
73 I Trabajos realizados para la empresa
8 E Gastos imputados al patrimonio neto
80 E Gastos financieros por valoración de activos y pasivos
81 E Gastos en operaciones de cobertura
82 E Gastos por diferencias de conversión
83 E Impuesto sobre beneficios
84 E Transferencias de subvenciones, donaciones y legados
85 E Gastos por pérdidas actuariales y ajustes en los activos por retribuciones a largo plazo
86 E Gastos por activos no corrientes en venta
89 E Gastos de participaciones en empresas del grupo o asociadas con ajustes valorativos positivos previos
9 E Ingresos imputados al patrimonio neto
90 E Ingresos financieros por valoración de activos y pasivos
91 E Ingresos en operaciones de cobertura
92 E Ingresos por diferencias de conversión
94 E Ingresos por subvenciones, donaciones y legados
95 E Ingresos por ganancias actuariales y ajustes en los activos por retribuciones a largo plazo
96 E Ingresos por activos no corrientes en venta
99 E Ingresos de participaciones en empresas del grupo o asociadas con ajustes valorativos negativos previos
`;

const MORE_ACCOUNTS = `
101 E Fondo social
103 E Socios por desembolsos no exigidos
104 E Socios por aportaciones no dinerarias pendientes
108 E Acciones o participaciones propias en situaciones especiales
109 E Acciones o participaciones propias para reducción de capital
111 E Otros instrumentos de patrimonio neto
114 E Reservas especiales
115 E Reservas por pérdidas y ganancias actuariales y otros ajustes
131 E Donaciones y legados de capital
132 E Otras subvenciones, donaciones y legados
133 E Ajustes por valoración en activos financieros a valor razonable con cambios en el patrimonio neto
134 E Operaciones de cobertura
135 E Diferencias de conversión
136 E Ajustes por valoración en activos no corrientes mantenidos para la venta
137 E Ingresos fiscales a distribuir en varios ejercicios
140 L Provisión por retribuciones a largo plazo al personal
141 L Provisión para impuestos
143 L Provisión por desmantelamiento, retiro o rehabilitación del inmovilizado
145 L Provisión para actuaciones medioambientales
146 L Provisión para reestructuraciones
150 L Acciones o participaciones a largo plazo consideradas como pasivos financieros
1603 L Deudas a largo plazo con entidades de crédito, empresas del grupo
1633 L Otras deudas a largo plazo, empresas del grupo
172 L Deudas a largo plazo transformables en subvenciones, donaciones y legados
175 L Efectos a pagar a largo plazo
177 L Obligaciones y bonos
180 L Fianzas recibidas a largo plazo
181 L Anticipos recibidos por ventas o prestaciones de servicios a largo plazo
200 A Investigación
201 A Desarrollo
202 A Concesiones administrativas
204 A Fondo de comercio
205 A Derechos de traspaso
209 A Anticipos para inmovilizaciones intangibles
215 A Otras instalaciones
220 A Inversiones en terrenos y bienes naturales
221 A Inversiones en construcciones
231 A Construcciones en curso
233 A Maquinaria en montaje
239 A Anticipos para inmovilizaciones materiales
2403 A Participaciones a largo plazo en empresas del grupo
2404 A Participaciones a largo plazo en empresas asociadas
2423 A Créditos a largo plazo a empresas del grupo
250 A Inversiones financieras a largo plazo en instrumentos de patrimonio
251 A Valores representativos de deuda a largo plazo
255 A Activos por derivados financieros a largo plazo
258 A Imposiciones a largo plazo
282 A Amortización acumulada de las inversiones inmobiliarias
2933 A Deterioro de valor de participaciones a largo plazo en empresas del grupo
320 A Elementos y conjuntos incorporables
325 A Materiales diversos
326 A Embalajes
327 A Envases
340 A Productos semiterminados
360 A Subproductos
365 A Residuos
403 L Proveedores, empresas del grupo
404 L Proveedores, empresas asociadas
406 A Envases y embalajes a devolver a proveedores
411 L Acreedores, efectos comerciales a pagar
433 A Clientes, empresas del grupo
434 A Clientes, empresas asociadas
437 A Envases y embalajes a devolver por clientes
466 L Remuneraciones mediante sistemas de aportación definida pendientes de pago
4708 A Hacienda Pública, deudora por subvenciones concedidas
493 A Deterioro de valor de créditos comerciales con partes vinculadas
499 L Provisiones por operaciones comerciales
500 L Obligaciones y bonos a corto plazo
5133 L Otras deudas a corto plazo con empresas del grupo
525 L Efectos a pagar a corto plazo
529 L Provisiones a corto plazo
5323 A Créditos a corto plazo a empresas del grupo
540 A Inversiones financieras a corto plazo en instrumentos de patrimonio
541 A Valores representativos de deuda a corto plazo
542 A Créditos a corto plazo
544 A Créditos a corto plazo al personal
548 A Imposiciones a corto plazo
557 E Dividendo activo a cuenta
580 A Inmovilizado mantenido para la venta
585 L Provisiones de activos mantenidos para la venta
593 A Deterioro de valor de participaciones a corto plazo en partes vinculadas
620 X Gastos en investigación y desarrollo del ejercicio
633 X Ajustes negativos en la imposición sobre beneficios
636 X Devolución de impuestos
638 X Ajustes positivos en la imposición sobre beneficios
643 X Retribuciones a largo plazo mediante sistemas de aportación definida
644 X Retribuciones a largo plazo mediante sistemas de prestación definida
645 X Retribuciones al personal mediante instrumentos de patrimonio
651 X Resultados de operaciones en común
661 X Intereses de obligaciones y bonos
663 X Pérdidas por valoración de instrumentos financieros por su valor razonable
666 X Pérdidas en participaciones y valores representativos de deuda
667 X Pérdidas de créditos no comerciales
672 X Pérdidas procedentes de las inversiones inmobiliarias
673 X Pérdidas procedentes de participaciones a largo plazo en partes vinculadas
682 X Amortización de las inversiones inmobiliarias
695 X Dotación a la provisión por operaciones comerciales
702 I Ventas de productos semiterminados
703 I Ventas de subproductos y residuos
704 I Ventas de envases y embalajes
711 I Variación de existencias de productos semiterminados
730 I Trabajos realizados para el inmovilizado intangible
731 I Trabajos realizados para el inmovilizado material
747 I Otras subvenciones, donaciones y legados transferidos al resultado del ejercicio
751 I Resultados de operaciones en común
753 I Ingresos de propiedad industrial cedida en explotación
754 I Ingresos por comisiones
755 I Ingresos por servicios al personal
760 I Ingresos de participaciones en instrumentos de patrimonio
761 I Ingresos de valores representativos de deuda
763 I Beneficios por valoración de instrumentos financieros por su valor razonable
766 I Beneficios en participaciones y valores representativos de deuda
772 I Beneficios procedentes de las inversiones inmobiliarias
795 I Exceso de provisiones
800 E Pérdidas en activos financieros a valor razonable con cambios en el patrimonio neto
802 E Transferencia de beneficios en activos financieros a valor razonable con cambios en el patrimonio neto
810 E Pérdidas por coberturas de flujos de efectivo
811 E Pérdidas por coberturas de inversiones netas en un negocio en el extranjero
812 E Transferencia de beneficios por coberturas de flujos de efectivo
820 E Diferencias de conversión negativas
8300 E Impuesto corriente
8301 E Impuesto diferido
833 E Ajustes negativos en la imposición sobre beneficios
838 E Ajustes positivos en la imposición sobre beneficios
840 E Transferencia de subvenciones oficiales de capital
841 E Transferencia de donaciones y legados de capital
842 E Transferencia de otras subvenciones, donaciones y legados
850 E Pérdidas actuariales
860 E Pérdidas en activos no corrientes mantenidos para la venta
892 E Deterioro de participaciones en el patrimonio, empresas del grupo
900 E Beneficios en activos financieros a valor razonable con cambios en el patrimonio neto
902 E Transferencia de pérdidas de activos financieros a valor razonable con cambios en el patrimonio neto
910 E Beneficios por coberturas de flujos de efectivo
912 E Transferencia de pérdidas por coberturas de flujos de efectivo
920 E Diferencias de conversión positivas
940 E Ingresos de subvenciones oficiales de capital
941 E Ingresos de donaciones y legados de capital
942 E Ingresos de otras subvenciones, donaciones y legados
950 E Ganancias actuariales
960 E Beneficios en activos no corrientes mantenidos para la venta
992 E Recuperación de ajustes valorativos negativos previos, empresas del grupo
`;

export const ES_PGC: AccountChart = {
  ...ES_PGC_PYMES,
  code: 'es-pgc',
  name: 'Plan General de Contabilidad',
  accounts: buildChart(`${HEADINGS.trim()}${MORE_HEADINGS}`, `${ACCOUNTS.trim()}${MORE_ACCOUNTS}`),
};
