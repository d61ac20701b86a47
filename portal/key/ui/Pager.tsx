import { useTranslation } from 'react-i18next'
import { Button } from './parts.tsx'

export function Pager({
  page,
  size,
  total,
  onPage,
}: {
  page: number
  size: number
  total: number
  onPage: (page: number) => void
}) {
  const { t } = useTranslation('key-app')
  const last = Math.ceil(total / size)
  if (last <= 1) return null
  return (
    <div className="pager">
      <Button look="outline" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t('pager.newer')}
      </Button>
      <span>{t('pager.page', { page, last })}</span>
      <Button look="outline" disabled={page >= last} onClick={() => onPage(page + 1)}>
        {t('pager.older')}
      </Button>
    </div>
  )
}
