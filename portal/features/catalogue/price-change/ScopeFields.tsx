import { Box, Checkbox, Flex, Stack, TagsInput, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { priceScopes } from '#contract/catalogue/price-change.ts'
import { products } from '#contract/catalogue/product.ts'
import { SelectionName } from '#contract/device-protocol.ts'
import { FindMany } from '#portal/ui/form/choices/FindSelect.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import { tableWord } from '../price/machinePrice.ts'
import classes from './PriceChange.module.css'
import { allTables, type PriceDraft, readSelections } from './priceDraft.ts'

const mostChosen = 100

interface Props {
  draft: PriceDraft
  change: (part: Partial<PriceDraft>) => void
}

/** The scope of the change: all prices or those of products or selections, in some price lists. */
export function ScopeFields({ draft, change }: Props) {
  const { t } = useTranslation(['price-change', 'vocabulary'])
  const toggle = (table: number, isOn: boolean) =>
    change({ tables: allTables.filter((one) => (one === table ? isOn : draft.tables.includes(one))) })
  return (
    <Stack component="section" gap="sm" align="flex-start" pt="md" className={classes.scope}>
      <h3 className={classes.subtitle}>{t('scope.title')}</h3>
      <Segments
        name={t('scope.title')}
        value={draft.scope}
        options={priceScopes.map((scope) => ({ value: scope, label: t(`scope.${scope}`) }))}
        choose={(scope) => change({ scope })}
      />
      {(draft.scope === undefined || draft.scope === 'products') && (
        <Stack gap="sm" w="100%" maw={520}>
          <TextInput
            label={t('scope.text')}
            description={t('scope.textHint')}
            maxLength={80}
            value={draft.productText}
            onChange={(event) => change({ scope: 'products', productText: event.currentTarget.value })}
          />
          <FindMany
            row={products.listProducts}
            label={t('scope.some')}
            description={t('scope.someHint')}
            most={mostChosen}
            value={draft.products}
            choose={(some) => change({ scope: 'products', products: some })}
          />
        </Stack>
      )}
      {draft.scope === 'selections' && (
        <TagsInput
          w="100%"
          maw={520}
          label={t('scope.list')}
          description={t('scope.listHint')}
          maxTags={mostChosen}
          splitChars={[',', ';']}
          value={[...draft.selections]}
          onChange={(tags) =>
            change({ selections: readSelections(tags).filter((one) => SelectionName.safeParse(one).success) })
          }
        />
      )}
      <Flex component="fieldset" rowGap="near" columnGap="wide" wrap="wrap">
        <Box component="legend" mb="snug" p={0} fz="sm" fw={500}>
          {t('scope.tables')}
        </Box>
        <Checkbox
          label={t('scope.allTables')}
          checked={draft.tables.length === allTables.length}
          indeterminate={draft.tables.length > 0 && draft.tables.length < allTables.length}
          onChange={(event) => change({ tables: event.currentTarget.checked ? allTables : [] })}
        />
        {allTables.map((table) => (
          <Checkbox
            key={table}
            label={t(tableWord(table))}
            checked={draft.tables.includes(table)}
            onChange={(event) => toggle(table, event.currentTarget.checked)}
          />
        ))}
      </Flex>
      {draft.scope === undefined && (
        <Text c="dimmed" fz="sm">
          {t('scope.choose')}
        </Text>
      )}
      {draft.tables.length === 0 && (
        <Text c="dimmed" fz="sm">
          {t('scope.noTables')}
        </Text>
      )}
    </Stack>
  )
}
