import { Box, Flex, Text, Title } from '@mantine/core'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import type { CellValue } from '#portal/ui/grid/types.ts'
import classes from './Lines.module.css'
import type { LineDraft } from './lineDraft.ts'
import { traysOf } from './trays.ts'
import type { Products } from './useProductChoices.ts'
import { useThumbnails } from './useThumbnails.ts'

interface Props {
  lines: readonly LineDraft[]
  merchantId: string
  products: Products | undefined
  currency: Currency
  /** The selection of the active row. */
  active: CellValue | undefined
  /** Opens a row of the grid. */
  choose: (row: number) => void
}

/** The front of a machine: trays with their places, each with product and cash price. */
export function FrontPicture({ lines: now, merchantId, products, currency, active, choose }: Props) {
  const { t } = useTranslation('planogram')
  const format = useFormat()
  const lines = useDeferredValue(now)
  const places = lines.flatMap((line, row) =>
    typeof line.selection === 'string' && line.selection !== '' ? [{ ...line, selection: line.selection, row }] : [],
  )
  const thumbnails = useThumbnails(
    merchantId,
    places.flatMap(({ productId }) =>
      typeof productId === 'string' && products?.byId.has(productId) ? [productId] : [],
    ),
  )
  return (
    <Box component="section" miw={0} className={classes.front} aria-label={t('front.title')}>
      <Title order={3} mb="near" fz="sm" fw={600} lh="30px">
        {t('front.title')}
      </Title>
      {places.length === 0 ? (
        <Text c="dimmed" fz="sm">
          {t('front.empty')}
        </Text>
      ) : (
        <Box
          mah="min(76vh, 940px)"
          p="xs"
          bd="2px solid var(--line-strong)"
          bdrs="xl"
          bg="var(--sunken)"
          className="scrolls"
        >
          {traysOf(places).map(({ tray, places: trayPlaces }) => (
            <Flex key={tray} gap="tight" pt="near" pb="snug" px="tight" className={classes.tray}>
              {trayPlaces.map(({ selection, productId, prices, row }) => {
                const id = typeof productId === 'string' ? productId : ''
                const name = products?.byId.get(id)?.name
                const price = prices[1]
                const cost = typeof price === 'number' ? format.money(price, currency) : undefined
                const picture = thumbnails.get(id)
                return (
                  <button
                    key={row}
                    type="button"
                    className={classes.place}
                    aria-pressed={active === selection}
                    aria-label={[selection, name ?? t('front.noProduct'), cost].filter(Boolean).join(', ')}
                    title={name}
                    onClick={() => choose(row)}
                  >
                    <span className={classes.tile} data-empty={name ? undefined : true}>
                      {picture ? <img src={picture} alt="" /> : name?.trim().charAt(0).toLocaleUpperCase()}
                    </span>
                    <Text span mt={3} fz="xs" fw={600} lh="xs">
                      {selection}
                    </Text>
                    <Text span textWrap="nowrap" c="dimmed" fz={11.5} lh="15px">
                      {cost ?? ' '}
                    </Text>
                  </button>
                )
              })}
            </Flex>
          ))}
        </Box>
      )}
    </Box>
  )
}
