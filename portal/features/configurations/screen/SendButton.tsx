import { Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ScreenConfiguration, screenConfigurations } from '#contract/configurations/screen-configuration.ts'
import { useMay } from '#portal/app/session/useMay.ts'

const SendDialog = lazy(() => import('./SendDialog.tsx'))

/** Opens the dialog that sends the saved version to machines. */
export function SendButton({ screen }: { screen: ScreenConfiguration }) {
  const { t } = useTranslation('screen-configuration')
  const mayRun = useMay(screenConfigurations.sendScreenConfiguration)
  const [isOpen, setOpen] = useState(false)
  if (!mayRun) return null
  return (
    <>
      <Button leftSection={<IconSend size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t('send.do')}
      </Button>
      {isOpen && (
        <Suspense>
          <SendDialog screen={screen} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
