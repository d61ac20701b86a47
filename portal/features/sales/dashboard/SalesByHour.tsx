import { Box, Flex } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dashboard, SalesToday } from '#contract/sales/dashboard.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { toMajor } from '#domain/money/money.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { oneOf } from '#portal/app/search.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { WhenSeen } from '#portal/ui/page/WhenSeen.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import classes from './Dashboard.module.css'
import { drawnSales } from './sales.ts'
import { useCurrencies } from './useCurrencies.ts'

const Chart = lazyPart(async () => ({ default: (await import('#portal/ui/chart/Chart.tsx')).Chart }))

const chartHeight = 280

/** Today's sales by hour over the usual range of the last four same weekdays, as far as they have data. */
export function SalesByHour({ today, lastDays }: { today: Dashboard | undefined; lastDays: string }) {
  const { t } = useTranslation('dashboard')
  const go = useGo()
  const addressCurrency = oneOf(useAddressQuery(), 'currency')
  const isPhone = useIsPhone()
  const drawn = today && drawnSales(today.sales, addressCurrency)
  const offered = useCurrencies()
  const choose = (currency: string) => void go({ here: { currency } }, { replace: true, resetScroll: false })
  const waiting = <Box bdrs="md" bg="var(--bg)" style={{ height: chartHeight }} />
  return (
    <Card
      title={t('hours.title')}
      note={
        drawn &&
        !isPhone &&
        t(drawn.usualDays > 0 ? 'hours.note' : 'hours.noteAlone', {
          symbol: currencies[drawn.currency].symbol,
          lastDays,
        })
      }
      actions={
        offered.length > 1 && (
          <Flex
            component="fieldset"
            gap="hair"
            display="inline-flex"
            mr={38}
            p="hair"
            bdrs="md"
            bg="var(--sunken)"
            className={classes.switch}
          >
            <legend className="unseen">{t('hours.currency')}</legend>
            {offered.map((currency) => (
              <button
                key={currency}
                type="button"
                aria-pressed={currency === drawn?.currency}
                onClick={() => choose(currency)}
              >
                {currency}
              </button>
            ))}
          </Flex>
        )
      }
    >
      {drawn ? (
        <WhenSeen waiting={waiting} share={0.5}>
          <Part fallback={waiting}>
            <Hours sales={drawn} lastDays={lastDays} />
          </Part>
        </WhenSeen>
      ) : (
        waiting
      )}
    </Card>
  )
}

function Hours({ sales, lastDays }: { sales: SalesToday; lastDays: string }) {
  const { t } = useTranslation('dashboard')
  const { number, money } = useFormat()
  const { currency, hours, hourNow, usualDays } = sales
  const chart = useMemo(() => {
    const major = (minor: number) => toMajor(minor, currency)
    return {
      categories: hours.map(({ hour }) => String(hour).padStart(2, '0')),
      series: [
        {
          name: t('hours.today'),
          values: hours.map(({ hour, value }) => (hour <= hourNow ? major(value) : null)),
          kind: 'bar' as const,
          color: 'gold-fill',
        },
        ...(usualDays > 0
          ? [
              {
                name: t('hours.usual'),
                values: hours.map(({ usualValue }) => major(usualValue)),
                kind: 'line' as const,
                color: 'ink-3',
                isDashed: true,
              },
            ]
          : []),
      ],
      ...(usualDays > 0 && {
        band: {
          name: t('hours.range'),
          low: hours.map(({ usualLow }) => major(usualLow)),
          high: hours.map(({ usualHigh }) => major(usualHigh)),
        },
      }),
      format: (value: number) => money(Math.round(value * 10 ** currencies[currency].storageDigits), currency),
      formatShort: (value: number) => number(value, { notation: 'compact', maximumFractionDigits: 1 }),
    }
  }, [hours, hourNow, usualDays, currency, t, number, money])
  return (
    <Chart
      {...chart}
      label={t('hours.label', { lastDays })}
      unit={currencies[currency].symbol}
      categoryName={t('hours.hour')}
      partial={hourNow}
      height={chartHeight}
    />
  )
}
