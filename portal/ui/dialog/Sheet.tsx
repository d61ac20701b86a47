import { Box, Drawer, Flex } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../useIsPhone.ts'
import { Dialog } from './Dialog.tsx'
import classes from './Sheet.module.css'
import { useFocusBack } from './useFocusBack.ts'

interface Props {
  title: ReactNode
  close: () => void
  /** Buttons that stay at the bottom, under the thumb. */
  footer?: ReactNode
  children: ReactNode
}

/**
 * A few acts or fields, mounted only while open: on a phone a sheet from the bottom, as tall as its content; on a wider screen a small
 * dialog.
 */
export function Sheet(props: Props) {
  return useIsPhone() ? <BottomSheet {...props} /> : <SmallDialog {...props} />
}

function SmallDialog({ title, close, footer, children }: Props) {
  const { t } = useTranslation('ui')
  return (
    <Dialog onClose={close} title={title} size="md" closeButtonProps={{ 'aria-label': t('close') }}>
      {children}
      {footer && (
        <Flex gap="near" wrap="wrap" justify="flex-end" mt="lg">
          {footer}
        </Flex>
      )}
    </Dialog>
  )
}

function BottomSheet({ title, close, footer, children }: Props) {
  const { t } = useTranslation('ui')
  useFocusBack()
  return (
    <Drawer
      opened
      onClose={close}
      position="bottom"
      size="auto"
      title={title}
      closeButtonProps={{ 'aria-label': t('close'), size: 'xl' }}
      classNames={{ content: classes.content, header: classes.header, title: classes.title, body: classes.body }}
    >
      <Box pb="md" px="md">
        {children}
      </Box>
      {footer && <div className={classes.footer}>{footer}</div>}
    </Drawer>
  )
}
