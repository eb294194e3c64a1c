"""A synchronous grammar of English and German: each sentence is made once and written in both languages."""
