# The API alone; docker-compose.yml puts it beside a Neo4j.
FROM python:3.13-slim AS build
WORKDIR /build
COPY requirements.lock .
# Whatever the lock names, checked by hash; the next steps take nothing from elsewhere.
RUN pip download --no-deps --require-hashes --only-binary :all: --dest wheels -r requirements.lock
RUN pip install --no-index --find-links wheels hatchling
COPY . .
RUN pip wheel --no-index --no-deps --no-build-isolation --wheel-dir wheels .
RUN python -m venv /opt/hippograph \
    && /opt/hippograph/bin/pip install --no-index --find-links wheels hippograph

FROM python:3.13-slim
RUN useradd --uid 10001 --create-home --home-dir /var/lib/hippograph hippograph
COPY --from=build /opt/hippograph /opt/hippograph
USER hippograph
ENV PATH=/opt/hippograph/bin:$PATH \
    HIPPOGRAPH_HOME=/var/lib/hippograph \
    HIPPOGRAPH_CACHE=/var/lib/hippograph/cache
VOLUME /var/lib/hippograph
EXPOSE 8420
# The embedding model is fetched, checked by hash, at the first start and kept in the volume.
CMD ["hippograph", "serve", "--host", "0.0.0.0"]
