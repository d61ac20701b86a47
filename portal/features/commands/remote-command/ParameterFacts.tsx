import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { CommandPrice, MachineFile, SignedFile } from '#contract/commands/command-parameters.ts'
import { Parameters } from '#contract/vocabulary/configuration.ts'
import { nameOf } from '#contract/vocabulary/numbers.ts'
import { peripherals } from '#contract/vocabulary/remote-command.ts'
import { priceTables } from '#contract/vocabulary/transaction.ts'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { writeBytes } from '#portal/ui/form/useRuleSentence.ts'
import { Amount } from '#portal/ui/value/Amount.tsx'
import { CopyId } from '#portal/ui/value/CopyId.tsx'
import { type Fact, Facts } from '#portal/ui/value/Facts.tsx'
import common from './CommandText.module.css'
import classes from './ParameterFacts.module.css'

interface Props {
  /** As sent; unknown parameters are not shown. */
  parameters: object
  currency: Currency | undefined
}

const rowsOf = <T,>(schema: z.ZodType<T>, value: unknown): T[] =>
  Array.isArray(value) ? value.flatMap((one) => schema.safeParse(one).data ?? []) : []

/** The parameters of a command. */
export function ParameterFacts({ parameters, currency }: Props) {
  const { t } = useTranslation(['remote-command', 'vocabulary'])
  const format = useFormat()
  const values = parameters as Record<string, unknown>
  const text = (key: string) => (typeof values[key] === 'string' ? values[key] : undefined)
  const file = MachineFile.or(SignedFile).safeParse(values.file).data
  const peripheral = peripherals.find((one) => one === values.peripheral)
  const settings = Object.entries(Parameters.safeParse(values.settings).data ?? {})
  const prices = rowsOf(CommandPrice, values.prices)
  const optionalFacts: (Fact | undefined | false)[] = [
    typeof values.amount === 'number' &&
      currency !== undefined && {
        name: t('remote-command:fact.amount'),
        value: <Amount minor={values.amount} currency={currency} />,
      },
    peripheral && { name: t('remote-command:field.peripheral'), value: t(`remote-command:peripheral.${peripheral}`) },
    text('version') !== undefined && { name: t('remote-command:field.version'), value: text('version') },
    text('name') !== undefined && { name: t('remote-command:field.name'), value: text('name') },
    file && {
      name: t('remote-command:field.url'),
      value: (
        <Text span className="breaks">
          {file.url}
        </Text>
      ),
    },
    file && { name: t('remote-command:field.bytes'), value: writeBytes(file.bytes, format.number) },
    file && { name: t('remote-command:field.sha256'), value: <CopyId value={file.sha256} isShort /> },
  ]
  const facts = optionalFacts.filter((fact): fact is Fact => Boolean(fact))
  return (
    <>
      {facts.length > 0 && <Facts facts={facts} />}
      {settings.length > 0 && (
        <table className={classes.small}>
          <caption className={common.subtitle}>{t('remote-command:field.settings')}</caption>
          <tbody>
            {settings.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {prices.length > 0 && (
        <table className={classes.small}>
          <caption className={common.subtitle}>{t('remote-command:field.prices')}</caption>
          <tbody>
            {prices.map(({ selection, priceTable, price }) => (
              <tr key={`${selection} ${priceTable}`}>
                <th scope="row">{selection}</th>
                <td>
                  {priceTable === undefined
                    ? t('remote-command:field.allTables')
                    : nameOf(priceTables, priceTable)
                      ? t(`vocabulary:priceTable.${nameOf(priceTables, priceTable)}`)
                      : priceTable}
                </td>
                <td className={classes.end}>{currency ? <Amount minor={price} currency={currency} /> : price}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
