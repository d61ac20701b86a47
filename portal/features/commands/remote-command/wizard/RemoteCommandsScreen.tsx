import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { oneOf } from '#portal/app/search.ts'
import { ScreenHeader } from '#portal/ui/page/ScreenHeader.tsx'
import tabs from '../../../../ui/page/Tabs.module.css'
import { CommandList } from '../list/CommandList.tsx'
import { SendCommand } from './SendCommand.tsx'

const parts = ['send', 'history'] as const

/** Sends commands to machines, and shows the results of sent commands. */
export default function RemoteCommandsScreen() {
  const { t } = useTranslation('remote-command')
  const merchant = useMerchant()
  const search = useAddressQuery()
  const go = useGo()
  const currentPart = oneOf(search, 'part') === 'history' ? 'history' : 'send'
  const show = (part: (typeof parts)[number], orderId?: string) =>
    void go({ to: '.', search: { part: part === 'send' ? undefined : part, orderIds: orderId } })
  return (
    <>
      <ScreenHeader title={t('title')} />
      <div className={tabs.tabs} role="group" aria-label={t('parts.label')}>
        {parts.map((part) => (
          <UnstyledButton
            key={part}
            className={tabs.tab}
            aria-pressed={part === currentPart}
            onClick={() => show(part)}
          >
            {t(`parts.${part}`)}
          </UnstyledButton>
        ))}
      </div>
      {/* A choice of machines belongs to one merchant. */}
      {currentPart === 'send' ? (
        <SendCommand key={merchant.id} showHistory={(orderId) => show('history', orderId)} />
      ) : (
        <CommandList />
      )}
    </>
  )
}
