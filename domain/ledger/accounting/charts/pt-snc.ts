/** The Portuguese chart of the SNC (Portaria 218/2015), as far as a small company needs it, with IVA by rate. */
import { type AccountChart, accountGroups, buildChart, type TaxSeed } from './chart.ts';

const HEADINGS = `
1 A Meios financeiros líquidos
2 A Contas a receber e a pagar
21 A Clientes
22 L Fornecedores
23 L Pessoal
24 L Estado e outros entes públicos
243 L Imposto sobre o valor acrescentado (IVA)
25 L Financiamentos obtidos
26 A Acionistas e sócios
27 L Outras contas a receber e a pagar
28 A Diferimentos
29 L Provisões
3 A Inventários e ativos biológicos
31 X Compras
38 A Reclassificação e regularização de inventários e ativos biológicos
4 A Investimentos
41 A Investimentos financeiros
42 A Propriedades de investimento
43 A Ativos fixos tangíveis
44 A Ativos intangíveis
45 A Investimentos em curso
5 E Capital, reservas e resultados transitados
55 E Reservas
59 E Outras variações no capital próprio
6 X Gastos
61 X Custo das mercadorias vendidas e das matérias consumidas
62 X Fornecimentos e serviços externos
63 X Gastos com o pessoal
64 X Gastos de depreciação e de amortização
65 X Perdas por imparidade
67 X Provisões do período
68 X Outros gastos
69 X Gastos de financiamento
7 I Rendimentos
71 I Vendas
72 I Prestações de serviços
73 I Variações nos inventários da produção
74 I Trabalhos para a própria entidade
75 I Subsídios à exploração
76 I Reversões
78 I Outros rendimentos
79 I Juros, dividendos e outros rendimentos similares
8 E Resultados
81 E Resultado líquido do período
`;

const ACCOUNTS = `
11 A Caixa
12 A Depósitos à ordem
13 A Outros depósitos bancários
14 A Instrumentos financeiros
2111 A Clientes gerais
212 A Clientes, títulos a receber
217 A Clientes de cobrança duvidosa
218 L Adiantamentos de clientes
219 A Clientes, perdas por imparidade acumuladas
2211 L Fornecedores gerais
222 L Fornecedores, títulos a pagar
225 L Faturas em receção e conferência
228 A Adiantamentos a fornecedores
2311 L Remunerações a pagar aos órgãos sociais
2312 L Remunerações a pagar ao pessoal
2322 A Adiantamentos ao pessoal
237 L Cauções do pessoal
238 L Outras operações com o pessoal
241 L Imposto sobre o rendimento
2411 A Pagamentos por conta e retenções sofridas
242 L Retenção de impostos sobre rendimentos
2431 A IVA suportado
2432 A IVA dedutível
243201 A IVA dedutível, taxa reduzida 6 %
243202 A IVA dedutível, taxa intermédia 13 %
243203 A IVA dedutível, taxa normal 23 %
243204 A IVA dedutível, aquisições intracomunitárias
243209 A IVA dedutível, pendente de pagamento
2433 L IVA liquidado
243301 L IVA liquidado, taxa reduzida 6 %
243302 L IVA liquidado, taxa intermédia 13 %
243303 L IVA liquidado, taxa normal 23 %
243304 L IVA liquidado, aquisições intracomunitárias
243309 L IVA liquidado, pendente de recebimento
2434 L IVA, regularizações
2435 L IVA, apuramento
2436 L IVA a pagar
2437 A IVA a recuperar
2438 A IVA, reembolsos pedidos
244 L Outros impostos
245 L Contribuições para a segurança social
246 L Tributos das autarquias locais
248 L Outras tributações
2511 L Empréstimos bancários
2512 L Descobertos bancários
2513 L Locações financeiras
253 L Participantes de capital
258 L Outros financiadores
261 A Acionistas com subscrição
263 A Adiantamentos por conta de lucros
264 L Resultados atribuídos
265 L Lucros disponíveis
266 A Empréstimos concedidos, empresa-mãe
268 L Outras operações com sócios
2711 L Fornecedores de investimentos, contas gerais
2713 A Adiantamentos a fornecedores de investimentos
2721 A Devedores por acréscimos de rendimentos
2722 L Credores por acréscimos de gastos
2741 A Ativos por impostos diferidos
2742 L Passivos por impostos diferidos
276 L Adiantamentos por conta de vendas
278 L Outros devedores e credores
281 A Gastos a reconhecer
282 L Rendimentos a reconhecer
291 L Provisões para impostos
292 L Provisões para garantias a clientes
293 L Provisões para processos judiciais em curso
298 L Outras provisões
311 X Compras de mercadorias
312 X Compras de matérias-primas, subsidiárias e de consumo
317 X Devoluções de compras
318 X Descontos e abatimentos em compras
32 A Mercadorias
33 A Matérias-primas, subsidiárias e de consumo
34 A Produtos acabados e intermédios
35 A Subprodutos, desperdícios, resíduos e refugos
36 A Produtos e trabalhos em curso
382 A Regularização de mercadorias
39 A Adiantamentos por conta de compras
411 A Investimentos em subsidiárias
415 A Outros investimentos financeiros
421 A Propriedades de investimento, terrenos
422 A Propriedades de investimento, edifícios
428 A Propriedades de investimento, depreciações acumuladas
431 A Terrenos e recursos naturais
432 A Edifícios e outras construções
433 A Equipamento básico
434 A Equipamento de transporte
435 A Equipamento administrativo
436 A Equipamentos biológicos
437 A Outros ativos fixos tangíveis
438 A Ativos fixos tangíveis, depreciações acumuladas
439 A Ativos fixos tangíveis, perdas por imparidade acumuladas
441 A Goodwill
442 A Projetos de desenvolvimento
443 A Programas de computador
444 A Propriedade industrial
446 A Outros ativos intangíveis
448 A Ativos intangíveis, amortizações acumuladas
453 A Ativos fixos tangíveis em curso
454 A Ativos intangíveis em curso
455 A Adiantamentos por conta de investimentos
51 E Capital subscrito
52 E Ações e quotas próprias
53 E Outros instrumentos de capital próprio
54 E Prémios de emissão
551 E Reservas legais
552 E Outras reservas
56 E Resultados transitados
57 E Ajustamentos em ativos financeiros
58 E Excedentes de revalorização
593 E Subsídios
599 E Outras variações
611 X Custo das mercadorias vendidas
6119 X Desvios de custos padrão
612 X Custo das matérias-primas, subsidiárias e de consumo
621 X Subcontratos
6221 X Trabalhos especializados
6222 X Publicidade e propaganda
6223 X Vigilância e segurança
6224 X Honorários
6225 X Comissões
6226 X Conservação e reparação
6228 X Outros serviços especializados
6231 X Ferramentas e utensílios de desgaste rápido
6232 X Livros e documentação técnica
6233 X Material de escritório
6234 X Artigos para oferta
6241 X Eletricidade
6242 X Combustíveis
6243 X Água
6251 X Deslocações e estadas
6253 X Transportes de mercadorias
6261 X Rendas e alugueres
6262 X Comunicação
6263 X Seguros
6264 X Royalties
6265 X Contencioso e notariado
6266 X Despesas de representação
6267 X Limpeza, higiene e conforto
6268 X Outros serviços
631 X Remunerações dos órgãos sociais
632 X Remunerações do pessoal
633 X Benefícios pós-emprego
634 X Indemnizações
635 X Encargos sobre remunerações
636 X Seguros de acidentes no trabalho e doenças profissionais
637 X Gastos de ação social
638 X Outros gastos com o pessoal
641 X Depreciação de propriedades de investimento
642 X Depreciação de ativos fixos tangíveis
643 X Amortização de ativos intangíveis
651 X Perdas por imparidade em dívidas a receber
652 X Perdas por imparidade em inventários
655 X Perdas por imparidade em ativos fixos tangíveis
673 X Provisões para processos judiciais em curso
678 X Outras provisões do período
6811 X Impostos diretos
6812 X Impostos indiretos
6813 X Taxas
682 X Descontos de pronto pagamento concedidos
683 X Dívidas incobráveis
684 X Perdas em inventários
6871 X Gastos em investimentos não financeiros, alienações
6881 X Correções relativas a períodos anteriores
6882 X Donativos
6883 X Quotizações
6884 X Ofertas e amostras de inventários
6885 X Insuficiência da estimativa para impostos
6887 X Diferenças de câmbio desfavoráveis
6888 X Outros gastos não especificados
6911 X Juros de financiamentos obtidos
6918 X Outros juros
6921 X Diferenças de câmbio desfavoráveis de financiamentos obtidos
6988 X Outros gastos de financiamento
711 I Vendas de mercadorias
712 I Vendas de produtos acabados e intermédios
717 I Devoluções de vendas
718 I Descontos e abatimentos em vendas
721 I Serviço A
722 I Serviço B
725 I Serviços secundários
728 I Descontos e abatimentos em serviços
731 I Variação de produtos acabados e intermédios
733 I Variação de produtos e trabalhos em curso
741 I Trabalhos para ativos fixos tangíveis
742 I Trabalhos para ativos intangíveis
751 I Subsídios das entidades públicas
752 I Subsídios de outras entidades
7621 I Reversões de perdas por imparidade em dívidas a receber
7622 I Reversões de perdas por imparidade em inventários
763 I Reversões de provisões
7816 I Outros rendimentos suplementares
782 I Descontos de pronto pagamento obtidos
783 I Recuperação de dívidas a receber
7842 I Ganhos em inventários, sobras
7871 I Rendimentos em investimentos não financeiros, alienações
7881 I Correções relativas a períodos anteriores
7882 I Excesso da estimativa para impostos
7883 I Imputação de subsídios para investimentos
7885 I Restituição de impostos
7887 I Diferenças de câmbio favoráveis
7888 I Outros rendimentos não especificados
7911 I Juros de depósitos
792 I Dividendos obtidos
793 I Diferenças de câmbio favoráveis de financiamentos
798 I Outros rendimentos similares
811 E Resultado antes de impostos
8121 X Imposto estimado para o período
8122 X Imposto diferido
818 E Resultado líquido
89 E Dividendos antecipados
`;

const rate = (code: string, name: string, percent: TaxSeed['rate'], account: string): TaxSeed => ({
  ...{ code, name, rate: percent, surchargeRate: '0', kind: 'vat' },
  accounts: {
    ...{ output: `2433${account}`, input: `2432${account}` },
    ...{ intraEuOutput: '243304', intraEuInput: '243204' },
  },
});

/** Código do IVA, art. 18: the rates of the mainland. */
const TAXES: readonly TaxSeed[] = [
  { code: 'IVA0', name: 'Isento de IVA', rate: '0', surchargeRate: '0', kind: 'exempt', accounts: {} },
  rate('IVA6', 'IVA taxa reduzida 6 %', '6', '01'),
  rate('IVA13', 'IVA taxa intermédia 13 %', '13', '02'),
  rate('IVA23', 'IVA taxa normal 23 %', '23', '03'),
  {
    ...{ code: 'IVA23AL', name: 'IVA 23 %, autoliquidação', rate: '23', surchargeRate: '0', kind: 'reverse_charge' },
    accounts: { output: '243303', input: '243203' },
  },
];

export const PT_SNC: AccountChart = {
  code: 'pt-snc',
  name: 'Sistema de Normalização Contabilística',
  country: 'PT',
  language: 'pt',
  accounts: buildChart(HEADINGS, ACCOUNTS),
  roles: {
    receivable: '2111',
    payable: '2211',
    payableServices: '2211',
    payableAssets: '2711',
    payableAssetsLongTerm: '2711',
    salesGoods: '711',
    salesServices: '721',
    salesReturns: '717',
    purchaseGoods: '311',
    purchaseServices: '6268',
    purchaseReturns: '317',
    outputTax: '2433',
    inputTax: '2432',
    outputTaxPending: '243309',
    inputTaxPending: '243209',
    withholdingSuffered: '2411',
    withholdingMade: '242',
    bank: '12',
    cash: '11',
    billsReceivable: '212',
    billsPayable: '222',
    customerAdvances: '218',
    supplierAdvances: '228',
    salesDiscounts: '682',
    purchaseDiscounts: '782',
    bankCharges: '6988',
    writeOffLoss: '6888',
    writeOffGain: '7888',
    doubtfulReceivable: '217',
    debtImpairment: '219',
    debtImpairmentLoss: '651',
    debtImpairmentReversal: '7621',
    badDebts: '683',
    exchangeLoss: '6887',
    exchangeGain: '7887',
    prepaidExpenses: '281',
    deferredIncome: '282',
    stock: '32',
    stockVariation: '611',
    costVariance: '6119',
    purchasesPending: '225',
    salesPending: '2721',
    taxAdjustmentGain: '7888',
    taxAdjustmentLoss: '6812',
    taxPayable: '2436',
    taxReceivable: '2437',
    customsPayable: '248',
    wages: '632',
    severance: '634',
    travelExpenses: '6251',
    employerContributions: '635',
    socialSecurityPayable: '245',
    wagesPayable: '2312',
    staffAdvances: '2322',
    staffExpenses: '638',
    openingBalance: '278',
    yearResult: '818',
  },
  groups: accountGroups({
    customers: '21',
    suppliers: '22 271',
    receivables: '21',
    payables: '22',
    money: '11 12 13',
    outputTax: '2433',
    inputTax: '2432',
    vat: '243',
    revenue: '71 72',
    purchases: '31 61',
    subcontracting: '621',
    production: '73',
    staffCosts: '63',
    commissions: '6225',
  }),
  taxes: () => TAXES,
};
