import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type ConfigRow, configurations } from '#contract/configurations/configuration.ts'
import { useGo } from '#portal/app/go.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant, useMerchantOf } from '#portal/app/merchant.tsx'
import { ListScreen } from '#portal/ui/list/ListScreen.tsx'
import type { Column } from '#portal/ui/list/types.ts'
import { When } from '#portal/ui/time/When.tsx'
import { ReadConfigButton } from './ReadConfigButton.tsx'
import { useConfigWords } from './useConfigWords.ts'

/** A machine's reported configurations; each can be opened and compared. */
export default function ConfigsTab() {
  const { t } = useTranslation('configuration')
  const format = useFormat()
  const words = useConfigWords()
  const merchant = useMerchant()
  const go = useGo()
  const { posId } = useParams({ strict: false }) as { posId: string }
  const open = ({ id }: ConfigRow) =>
    void go({ to: '/devices/$posId/configs/$historicalId', params: { posId, historicalId: id } })
  const columns = useMemo(
    (): Column<ConfigRow>[] => [
      {
        id: 'readAt',
        name: t('column.readAt'),
        sort: true,
        isFixed: true,
        card: 'title',
        label: ({ readAt }) => {
          const at = instantOf(readAt)
          return at ? format.instant(at, 'minute', merchant.timeZone) : ''
        },
        cell: (config) => <At config={config} at={config.readAt} />,
      },
      {
        id: 'changes',
        name: t('column.changes'),
        card: 'line',
        cell: ({ changes }) =>
          changes
            ? (['added', 'removed', 'changed'] as const)
                .filter((kind) => changes[kind] > 0)
                .map((kind) => t(`count.${kind}`, { count: changes[kind] }))
                .join(', ') || t('noDifference')
            : t('oldest'),
      },
      { id: 'origin', name: t('column.origin'), card: 'line', cell: words.origin },
      { id: 'port', name: t('column.port'), card: 'none', cell: words.port },
      {
        id: 'confirmedAt',
        name: t('column.confirmedAt'),
        card: 'none',
        cell: (config) => <At config={config} at={config.confirmedAt} />,
      },
      {
        id: 'parameters',
        name: t('column.parameters'),
        align: 'end',
        number: ({ parameters }) => parameters,
        cell: ({ parameters }) => format.number(parameters),
      },
    ],
    [t, format, words, merchant.timeZone],
  )
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
