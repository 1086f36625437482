# xcute in an image: docker build --tag xcute . && docker run --rm --volume "$PWD:/work" xcute c FILE
FROM rust:1-bookworm AS build
WORKDIR /xcute
COPY . .
RUN ./x dist

FROM debian:bookworm-slim
COPY --from=build /xcute/target/dist/*.deb /tmp/
RUN apt-get update \
    && apt-get install --yes /tmp/*.deb swi-prolog-nox erlang-base erlang-eunit openjdk-17-jdk-headless \
    && rm -rf /var/lib/apt/lists/* /tmp/*.deb
WORKDIR /work
ENTRYPOINT ["xcute"]
