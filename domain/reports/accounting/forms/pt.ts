/** The Portuguese annual accounts of small entities (SNC, Portaria 220/2015): balanço and demonstração dos resultados por naturezas. */
import { withSide } from '../headings.ts';
import { form, own, ownGroup, unnamed } from './form.ts';

const RESULT = own('C.7', 'Resultado líquido do período', '81');
const EARLIER_RESULTS = own('C.5', 'Resultados transitados', '56');

/** Receivables with a debit balance, debts with a credit balance. */
const OTHER_PARTIES = '23 26 27 278';

export const PORTUGUESE_FORM = form({
  name: { es: 'SNC', en: 'SNC' },
  assets: ownGroup('ATIVO', 'TOTAL DO ATIVO', [
    ownGroup('A', 'Ativo não corrente', [
      own('A.1', 'Ativos fixos tangíveis', '43 453 455'),
      own('A.2', 'Propriedades de investimento', '42'),
      own('A.3', 'Ativos intangíveis', '44 454'),
      own('A.4', 'Investimentos financeiros', '41'),
      own('A.5', 'Ativos por impostos diferidos', '2741'),
    ]),
    ownGroup('B', 'Ativo corrente', [
      own('B.1', 'Inventários', '32 33 34 35 36 37 38 39'),
      own('B.2', 'Clientes', '211 212 213 217 219'),
      withSide(own('B.3', 'Estado e outros entes públicos', '2411 2431 2432 2437 2438'), 'debit', '24'),
      withSide(own('B.4', 'Outros créditos a receber', '228 232 2713 2721'), 'debit', OTHER_PARTIES),
      own('B.5', 'Diferimentos', '281'),
      own('B.6', 'Caixa e depósitos bancários', '11 12 13'),
      own('B.7', 'Outros ativos financeiros', '14'),
    ]),
  ]),
  intangible: 'A.3',
  equityAndLiabilities: ownGroup('CAPITAL E PASSIVO', 'TOTAL DO CAPITAL PRÓPRIO E DO PASSIVO', [
    ownGroup('C', 'Capital próprio', [
      own('C.1', 'Capital subscrito', '51 52'),
      own('C.2', 'Outros instrumentos de capital próprio', '53'),
      own('C.3', 'Prémios de emissão', '54'),
      own('C.4', 'Reservas', '55'),
      EARLIER_RESULTS,
      own('C.6', 'Excedentes e outras variações no capital próprio', '57 58 59'),
      RESULT,
      own('C.8', 'Dividendos antecipados', '89'),
    ]),
    ownGroup('D', 'Passivo', [
      own('D.1', 'Provisões', '29'),
      own('D.2', 'Financiamentos obtidos', '25'),
      own('D.3', 'Passivos por impostos diferidos', '2742'),
      own('D.4', 'Fornecedores', '221 222 223 225 229'),
      own('D.5', 'Adiantamentos de clientes', '218 276'),
      withSide(own('D.6', 'Estado e outros entes públicos', '2433 2436'), 'credit', '24'),
      withSide(own('D.7', 'Outras dívidas a pagar', '2711 2722'), 'credit', OTHER_PARTIES),
      own('D.8', 'Diferimentos', '282'),
    ]),
  ]),
  result: RESULT,
  earlierResults: EARLIER_RESULTS,
  equity: {
    heading: 'C',
    capital: ['C.1', 'C.3'],
    partners: ['C.2', 'C.8'],
    recognised: ['C.6'],
    paidTo: ['11', '12', '13', '242', '26'],
  },
  sections: [
    ownGroup('1', 'Resultado antes de depreciações, gastos de financiamento e impostos', [
      own('1.1', 'Vendas e serviços prestados', '71 72'),
      own('1.2', 'Subsídios à exploração', '75'),
      own('1.3', 'Variação nos inventários da produção', '73'),
      own('1.4', 'Trabalhos para a própria entidade', '74'),
      own('1.5', 'Custo das mercadorias vendidas e das matérias consumidas', '31 61'),
      own('1.6', 'Fornecimentos e serviços externos', '62'),
      own('1.7', 'Gastos com o pessoal', '63'),
      own('1.8', 'Imparidades, perdas e reversões', '65 762'),
      own('1.9', 'Provisões, aumentos e reduções', '67 763'),
      own('1.10', 'Aumentos e reduções de justo valor', '66 77'),
      own('1.11', 'Outros rendimentos', '78'),
      own('1.12', 'Outros gastos', '68'),
    ]),
    own('2', 'Gastos e reversões de depreciação e de amortização', '64 761'),
    { ...own('3', 'Resultado operacional'), adds: ['1', '2'] },
    ownGroup('4', 'Resultado financeiro', [
      own('4.1', 'Juros e rendimentos similares obtidos', '79'),
      own('4.2', 'Juros e gastos similares suportados', '69'),
    ]),
    { ...own('5', 'Resultado antes de impostos'), adds: ['3', '4'] },
    own('6', 'Imposto sobre o rendimento do período', '812'),
    { ...own('7', 'Resultado líquido do período'), adds: ['5', '6'] },
  ],
  others: unnamed('Contas sem rubrica', 'Contas sem rubrica'),
});
