import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type ConfigRow,
  configurationColumns,
  configurationOrds,
  configurations,
} from '#contract/configurations/configuration.ts'
import { useGo } from '#portal/app/go.ts'
import { instantOf } from '#portal/app/i18n/format.ts'
import { useMerchant, useMerchantOf } from '#portal/app/merchant.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Say } from '#portal/ui/list/listProps.ts'
import { recordColumns } from '#portal/ui/list/recordColumns.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { ReadConfigButton } from './ReadConfigButton.tsx'
import { useConfigWords } from './useConfigWords.ts'

const columnsOf = (words: ReturnType<typeof useConfigWords>, timeZone: string) =>
  recordColumns<ConfigRow>(configurationColumns, configurationOrds, ({ t, format }: Say) => ({
    lines: ['changes', 'origin'],
    offCards: ['port', 'confirmedAt'],
    looks: {
      readAt: {
        label: ({ readAt }) => {
          const at = instantOf(readAt)
          return at ? format.instant(at, 'minute', timeZone) : ''
        },
        cell: (config) => <At config={config} at={config.readAt} />,
      },
      changes: {
        align: undefined,
        number: undefined,
        cell: ({ changes }) =>
          changes
            ? (['added', 'removed', 'changed'] as const)
                .filter((kind) => changes[kind] > 0)
                .map((kind) => t(`configuration:count.${kind}`, { count: changes[kind] }))
                .join(', ') || t('configuration:noDifference')
            : t('configuration:oldest'),
      },
      origin: { cell: words.origin },
      port: { cell: words.port },
      confirmedAt: { cell: (config) => <At config={config} at={config.confirmedAt} /> },
    },
  }))

/** A machine's reported configurations; each can be opened and compared. */
export default function ConfigsTab() {
  const { t } = useTranslation('configuration')
  const words = useConfigWords()
  const merchant = useMerchant()
  const go = useGo()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const open = ({ id }: ConfigRow) =>
    void go({ to: '/devices/$posId/configs/$historicalId', params: { posId, historicalId: id } })
  const columns = useMemo(() => columnsOf(words, merchant.timeZone), [words, merchant.timeZone])
  return (
    <ListScreen
      id="configs"
      title={t('title')}
      isEmbedded
      exports="configurations"
      actions={<ReadConfigButton posId={posId} />}
      row={configurations.listConfigs}
      params={{ posId }}
      columns={columns}
      order={{ ord: 'readAt', ordType: 'DESC' }}
      onOpen={open}
      empty={{ title: t('empty.title'), text: t('empty.text'), action: <ReadConfigButton posId={posId} /> }}
    />
  )
}

function At({ config, at }: { config: ConfigRow; at: string }) {
  const { timeZone } = useMerchantOf(config.merchantId)
  return <When at={at} as="minute" timeZone={timeZone} />
}
