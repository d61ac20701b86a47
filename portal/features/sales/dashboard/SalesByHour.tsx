import { Box, Flex } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Dashboard } from '#contract/sales/dashboard.ts'
import { currencies } from '#contract/vocabulary/world/currencies.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { oneOf } from '#portal/app/search.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { WhenSeen } from '#portal/ui/page/WhenSeen.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import classes from './Dashboard.module.css'
import { drawnSales } from './sales.ts'
import { useCurrencies } from './useCurrencies.ts'

const Hours = lazyPart(async () => ({ default: (await import('./Hours.tsx')).Hours }))

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
            <Hours sales={drawn} lastDays={lastDays} height={chartHeight} />
          </Part>
        </WhenSeen>
      ) : (
        waiting
      )}
    </Card>
  )
}
