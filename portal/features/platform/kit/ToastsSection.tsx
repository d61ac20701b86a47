import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#portal/app/apiError.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { Row } from './Part.tsx'

/** Each kind of toast; persistent toasts say so. */
export function ToastsSection() {
  const { t } = useTranslation('kit')
  return (
    <Row>
      {(['success', 'warning', 'error'] as const).map((kind) => (
        <Button key={kind} variant="default" onClick={() => toast[kind](`kit:toast.${kind}`)}>
          {t(`toast.${kind}`)}
        </Button>
      ))}
      <Button variant="default" onClick={() => toast.warning('kit:toast.persistent', {}, { isPersistent: true })}>
        {t('toast.persistent')}
      </Button>
      <Button variant="default" onClick={() => toast.error(new ApiError('Unreachable'))}>
        {t('toast.ofCall')}
      </Button>
    </Row>
  )
}
